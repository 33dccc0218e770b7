import type { SystemReport } from "@parlance/protocol";

/** The settings that the server runs with. The server does not send secrets. */
export function Settings({ settings }: { readonly settings: SystemReport["settings"] }) {
  return (
    <section className="card" aria-label="Settings">
      <header>
        <h2>Settings</h2>
      </header>
      <table className="table">
        <thead>
          <tr>
            <th>Setting</th>
            <th>Value</th>
            <th>Default</th>
          </tr>
        </thead>
        <tbody>
          {settings.map((setting) => (
            <tr key={setting.name}>
              <td data-label="Setting">
                <code>{setting.name}</code>
                <div className="small soft">{setting.meaning}</div>
              </td>
              <td data-label="Value">
                {setting.is_default ? <span className="soft">{setting.value}</span> : <strong>{setting.value}</strong>}
              </td>
              <td data-label="Default" className="soft">
                {setting.default}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
