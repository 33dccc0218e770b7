import { useEffect, useRef, useState } from "react";
import { CODE_LANGUAGES, type CodeLanguage } from "../../lib/code-languages.ts";
import { Code } from "../../ui/copy-button.tsx";
import { TextArea, TextField } from "../../ui/field.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { exampleBody, fileField, type Operation, type Parameter, type Schema } from "./api-document.ts";
import { Rich } from "./rich.tsx";
import { type SampleRequest, sample } from "./samples.ts";
import { TryIt } from "./try-it.tsx";

/** One request: its fields, code for it, and a way to try it. The content is made when it is opened. */
export function OperationView({ operation, isOpen }: { readonly operation: Operation; readonly isOpen: boolean }) {
  const [open, setOpen] = useState(isOpen);
  const { method, path, summary } = operation;
  const element = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (isOpen) element.current?.scrollIntoView();
  }, [isOpen]);
  return (
    <details
      ref={element}
      className="card operation"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <span className={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>{" "}
        <span className="soft">{summary}</span>
      </summary>
      {open && <Details operation={operation} />}
    </details>
  );
}

function Details({ operation }: { readonly operation: Operation }) {
  const [language, setLanguage] = useState<CodeLanguage>("curl");
  const [values, setValues] = useState(() => defaultsOf(operation));
  const hasJson = operation.body !== undefined && operation.takesJson;
  const [json, setJson] = useState(() => JSON.stringify(exampleBody(operation), null, 2));
  const given = operation.parameters.filter(({ name, in: place }) => place !== "header" || name !== "traceparent");
  const fieldOf = (parameter: Parameter) => (
    <TextField
      key={keyOf(parameter)}
      label={`${parameter.name} (${parameter.in}${parameter.required ? ", required" : ""})`}
      value={values[keyOf(parameter)] ?? ""}
      hint={<Rich text={parameter.description} />}
      onChange={(event) => setValues({ ...values, [keyOf(parameter)]: event.target.value })}
    />
  );
  // Beside a body, parameters that may be left out are less important than its fields.
  const [first, others] = [
    given.filter(({ required }) => required || !operation.body),
    given.filter(({ required }) => !required && operation.body),
  ];
  const request: SampleRequest = {
    method: operation.method,
    url: addressOf(operation, values),
    headers: Object.fromEntries(
      given
        .filter((parameter) => parameter.in === "header" && values[keyOf(parameter)])
        .map((parameter) => [parameter.name, values[keyOf(parameter)] ?? ""]),
    ),
    json: hasJson ? json : undefined,
    file: operation.body !== undefined && !operation.takesJson ? fileField(operation) : undefined,
    givesFile: operation.givesFile,
  };
  return (
    <div className="stack">
      {operation.description !== "" && (
        <p>
          <Rich text={operation.description} />
        </p>
      )}
      {first.map(fieldOf)}
      {hasJson && (
        <TextArea
          label="Body"
          aside="JSON"
          rows={Math.min(12, json.split("\n").length + 1)}
          spellCheck={false}
          value={json}
          onChange={(event) => setJson(event.target.value)}
        />
      )}
      {operation.body && <Fields schema={operation.body} />}
      {others.length > 0 && (
        <details>
          <summary>Other parameters</summary>
          <div className="stack">{others.map(fieldOf)}</div>
        </details>
      )}
      <div className="stack tight">
        <Tabs label="Language of the sample" value={language} options={CODE_LANGUAGES} onChange={setLanguage} />
        <Code label={`Sample in ${language}`}>{sample(language, request)}</Code>
      </div>
      <TryIt request={request} />
    </div>
  );
}

function Fields({ schema }: { readonly schema: Schema }) {
  return (
    <details>
      <summary>Fields of the body</summary>
      <ul className="stack tight fields">
        {Object.entries(schema.properties ?? {}).map(([name, field]) => (
          <li key={name}>
            <code>{name}</code>{" "}
            <span className="small soft">
              {typeOf(field)}
              {schema.required?.includes(name) && ", required"}
              {field.default !== undefined && `, default ${JSON.stringify(field.default)}`}
            </span>
            <span className="line small">
              <Rich text={field.description ?? ""} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function typeOf(schema: Schema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(" or ");
  return [schema.type ?? "any"].flat().join(" or ");
}

type Values = Readonly<Record<string, string>>;

/** A header and a parameter of the query may have the same name. */
const keyOf = ({ in: place, name }: Pick<Parameter, "in" | "name">): string => `${place} ${name}`;

function defaultsOf({ parameters }: Operation): Values {
  const known = parameters.filter(({ required, schema }) => required && schema.default !== undefined);
  return Object.fromEntries(known.map((parameter) => [keyOf(parameter), String(parameter.schema.default)]));
}

function addressOf({ path, parameters }: Operation, values: Values): string {
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[keyOf({ in: "path", name })];
    return value ? encodeURIComponent(value) : whole;
  });
  const query = parameters.filter((parameter) => parameter.in === "query" && values[keyOf(parameter)]);
  const pairs = query.map((parameter): [string, string] => [parameter.name, values[keyOf(parameter)] ?? ""]);
  return `${window.location.origin}${filled}${pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`}`;
}
