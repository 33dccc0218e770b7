import { type ReactNode, useEffect } from "react";

interface PageProps {
  readonly title: string;
  readonly lead?: string;
  /** Beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, lead, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Parlance`;
  }, [title]);
  return (
    <main className="page" id="content" tabIndex={-1}>
      <header>
        <div>
          <h1>{title}</h1>
          {lead && <p className="soft">{lead}</p>}
        </div>
        {actions && <div className="row">{actions}</div>}
      </header>
      {children}
    </main>
  );
}
