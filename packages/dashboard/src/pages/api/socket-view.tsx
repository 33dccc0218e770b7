import type { Socket } from "./api-document.ts";
import { Rich } from "./rich.tsx";

/** The frames of a live socket. */
export function SocketView({ socket }: { readonly socket: Socket }) {
  return (
    <details className="card operation">
      <summary>
        <span className="method ws">WS</span> <code>{socket.path}</code> <span className="soft">{socket.summary}</span>
      </summary>
      <p>
        <Rich text={socket.description} />
      </p>
      <ul className="stack tight">
        {socket.frames.map(({ from, shape, description }) => (
          <li key={from + shape}>
            <span className="badge">{from === "client" ? "you send" : "you get"}</span> <code>{shape}</code>
            <span className="line small soft">
              <Rich text={description} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
