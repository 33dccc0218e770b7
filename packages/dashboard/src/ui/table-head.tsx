/** The names of the columns, and one more column for the actions of a row. */
export function TableHead({ columns }: { readonly columns: readonly string[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column}>{column}</th>
        ))}
        <th className="end">
          <span className="visually-hidden">Actions</span>
        </th>
      </tr>
    </thead>
  );
}
