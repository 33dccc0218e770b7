import type { ReactNode } from "react";
import { useEffect, useState } from "react";
import { Link, useRoute } from "./lib/router.tsx";
import { THEMES, useTheme } from "./lib/theme.ts";
import { Button } from "./ui/button.tsx";
import { Icon, type IconName } from "./ui/icon.tsx";
import { Mark } from "./ui/mark.tsx";

interface NavigationItem {
  readonly page: string;
  readonly label: string;
  readonly icon: IconName;
  readonly adminOnly?: true;
}

const NAVIGATION: readonly { readonly title: string; readonly items: readonly NavigationItem[] }[] = [
  {
    title: "Playground",
    items: [
      { page: "start", label: "Get started", icon: "check" },
      { page: "speak", label: "Speak", icon: "speak" },
      { page: "live", label: "Live", icon: "live" },
      { page: "talk", label: "Talk", icon: "talk" },
      { page: "transcribe", label: "Transcribe", icon: "transcribe" },
      { page: "projects", label: "Projects", icon: "projects" },
      { page: "history", label: "History", icon: "history" },
      { page: "voices", label: "Voices", icon: "voices" },
    ],
  },
  {
    title: "Account",
    items: [
      { page: "keys", label: "API keys", icon: "keys" },
      { page: "api", label: "API", icon: "book" },
      { page: "wallet", label: "Wallet and usage", icon: "wallet" },
      { page: "traces", label: "Traces", icon: "traces" },
      { page: "account", label: "Account", icon: "account" },
    ],
  },
  {
    title: "Operator",
    items: [{ page: "admin", label: "Administration", icon: "admin", adminOnly: true }],
  },
];

interface ShellProps {
  readonly userName: string;
  readonly isAdmin: boolean;
  readonly onSignOut: () => void;
  readonly children: ReactNode;
}

/** The layout around every page: navigation, theme and sign-out. */
export function Shell({ userName, isAdmin, onSignOut, children }: ShellProps) {
  const { page } = useRoute();
  const [open, setOpen] = useState(false);
  const [theme, setTheme] = useTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when the page changes.
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
          {NAVIGATION.map(({ title, items }) => {
            const visible = items.filter((item) => !item.adminOnly || isAdmin);
            if (visible.length === 0) return null;
            return (
              <section key={title}>
                <h2>{title}</h2>
                <ul>
                  {visible.map((item) => (
                    <li key={item.page}>
                      <Link to={item.page} aria-current={item.page === page ? "page" : undefined}>
                        <Icon name={item.icon} />
                        {item.label}
                      </Link>
                    </li>
                  ))}
                </ul>
              </section>
            );
          })}
        </nav>
        <footer>
          <Button
            look="quiet"
            icon="sun"
            onClick={() => setTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system")}
          >
            Theme: {theme}
          </Button>
          <Button look="quiet" icon="out" onClick={onSignOut}>
            <span className="cut">Sign out {userName}</span>
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

/** A button instead of a link, because the part of the address after the # is the route. */
function skipToContent(): void {
  document.getElementById("content")?.focus();
}
