import type { ReactNode } from "react";
import { useEffect, useState } from "react";
import { Link, useRoute } from "./lib/router.tsx";
import { THEMES, useTheme } from "./lib/theme.ts";
import { Button } from "./ui/button.tsx";
import { Icon, type IconName } from "./ui/icon.tsx";
import { Mark } from "./ui/mark.tsx";

interface Place {
  readonly page: string;
  readonly label: string;
  readonly icon: IconName;
  readonly adminOnly?: true;
}

const PLACES: readonly { readonly title: string; readonly places: readonly Place[] }[] = [
  {
    title: "Playground",
    places: [
      { page: "speak", label: "Speak", icon: "speak" },
      { page: "live", label: "Live", icon: "live" },
      { page: "transcribe", label: "Transcribe", icon: "transcribe" },
      { page: "voices", label: "Voices", icon: "voices" },
    ],
  },
  {
    title: "Account",
    places: [
      { page: "keys", label: "API keys", icon: "keys" },
      { page: "wallet", label: "Wallet and usage", icon: "wallet" },
      { page: "traces", label: "Traces", icon: "traces" },
      { page: "account", label: "Account", icon: "account" },
    ],
  },
  {
    title: "Operator",
    places: [{ page: "admin", label: "Administration", icon: "admin", adminOnly: true }],
  },
];

interface ShellProps {
  readonly who: string;
  readonly isAdmin: boolean;
  readonly onSignOut: () => void;
  readonly children: ReactNode;
}

/** What stands around every page. */
export function Shell({ who, isAdmin, onSignOut, children }: ShellProps) {
  const { page } = useRoute();
  const [open, setOpen] = useState(false);
  const [theme, setTheme] = useTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu.
  useEffect(() => setOpen(false), [page]);
  return (
    <div className="shell">
      <button type="button" className="skip" onClick={skipToContent}>
        Skip to content
      </button>
      <div className="top">
        <Brand />
        <Button
          look="quiet"
          icon={open ? "close" : "menu"}
          aria-label={open ? "Close the menu" : "Open the menu"}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        />
      </div>
      <div className={`side ${open ? "open" : ""}`}>
        <Brand />
        <nav aria-label="Pages">
          {PLACES.map(({ title, places }) => {
            const visible = places.filter((place) => !place.adminOnly || isAdmin);
            if (visible.length === 0) return null;
            return (
              <section key={title}>
                <h2>{title}</h2>
                <ul>
                  {visible.map((place) => (
                    <li key={place.page}>
                      <Link to={place.page} aria-current={place.page === page ? "page" : undefined}>
                        <Icon name={place.icon} />
                        {place.label}
                      </Link>
                    </li>
                  ))}
                </ul>
              </section>
            );
          })}
        </nav>
        <footer>
          <a className="button quiet" href="/docs">
            <Icon name="book" /> Documentation
          </a>
          <Button
            look="quiet"
            icon="sun"
            onClick={() => setTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system")}
          >
            Theme: {theme}
          </Button>
          <Button look="quiet" icon="out" onClick={onSignOut}>
            <span className="cut">Sign out {who}</span>
          </Button>
        </footer>
      </div>
      {children}
    </div>
  );
}

function Brand() {
  return (
    <Link className="brand" to="speak">
      <Mark />
      Parlance
    </Link>
  );
}

/** A button, because the address after the # names the page here and cannot be jumped to. */
function skipToContent(): void {
  document.getElementById("content")?.focus();
}
