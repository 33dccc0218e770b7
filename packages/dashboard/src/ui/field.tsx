import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from "react";

interface FieldProps {
  readonly label: string;
  /** Beside the label: a count, a value. */
  readonly aside?: ReactNode;
  readonly hint?: ReactNode;
  readonly fault?: string | undefined;
}

interface ControlAttributes {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
}

function Field({
  label,
  aside,
  hint,
  fault,
  children,
}: FieldProps & { children: (attributes: ControlAttributes) => ReactNode }) {
  const id = useId();
  const note = fault || hint ? `${id}-note` : undefined;
  return (
    <div className="field">
      <span className="label">
        <label htmlFor={id}>{label}</label>
        {aside !== undefined && <span className="soft number">{aside}</span>}
      </span>
      {children({ id, "aria-describedby": note, "aria-invalid": fault ? true : undefined })}
      {fault ? (
        <span id={note} className="fault" role="alert">
          {fault}
        </span>
      ) : (
        hint && (
          <span id={note} className="hint">
            {hint}
          </span>
        )
      )}
    </div>
  );
}

type Own<Props> = FieldProps & Omit<Props, "id" | "className">;

export function TextField({ label, aside, hint, fault, ...rest }: Own<InputHTMLAttributes<HTMLInputElement>>) {
  const field = { label, aside, hint, fault };
  return <Field {...field}>{(attributes) => <input className="input" type="text" {...rest} {...attributes} />}</Field>;
}

export function TextArea({
  label,
  aside,
  hint,
  fault,
  ...rest
}: Own<TextareaHTMLAttributes<HTMLTextAreaElement>> & { readonly ref?: Ref<HTMLTextAreaElement> }) {
  const field = { label, aside, hint, fault };
  return <Field {...field}>{(attributes) => <textarea className="input" {...rest} {...attributes} />}</Field>;
}

export function SelectField({ label, aside, hint, fault, ...rest }: Own<SelectHTMLAttributes<HTMLSelectElement>>) {
  const field = { label, aside, hint, fault };
  return <Field {...field}>{(attributes) => <select className="input" {...rest} {...attributes} />}</Field>;
}

export function RangeField({ label, aside, hint, fault, ...rest }: Own<InputHTMLAttributes<HTMLInputElement>>) {
  const field = { label, aside, hint, fault };
  return <Field {...field}>{(attributes) => <input {...rest} type="range" {...attributes} />}</Field>;
}

/** Options of a select whose labels are their values. */
export function Options({ values }: { readonly values: readonly string[] }) {
  return values.map((value) => <option key={value}>{value}</option>);
}
