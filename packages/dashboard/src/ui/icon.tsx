/** SVG paths in a 24 × 24 view box, inline so that no icon has to be loaded. */
const PATHS = {
  speak: "M4 10v4M8 6v12M12 3v18M16 7v10M20 10v4",
  live: "M13 2 4 14h7l-1 8 9-12h-7z",
  talk: "M4 5h11v8H8l-4 3zM18 9h2v11l-4-3H9v-1",
  transcribe: "M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3zM5 11a7 7 0 0 0 14 0M12 18v3",
  history: "M4 12a8 8 0 1 0 2.6-5.9M4 4v4h4M12 8v4.5l3 1.8",
  projects: "M12 6c-2-1.5-5-2-8-2v14c3 0 6 .5 8 2 2-1.5 5-2 8-2V4c-3 0-6 .5-8 2zM12 6v14",
  voices: "M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21a8 8 0 0 1 16 0",
  keys: "M8 19a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM11.2 11.3 20 2.5M16 6.5l3 3M13.5 9l2 2",
  wallet: "M3 7a2 2 0 0 1 2-2h13v4M3 7v11a2 2 0 0 0 2 2h16V9H5a2 2 0 0 1-2-2zM17 14.5h.01",
  traces: "M3 5h10M7 12h10M11 19h10",
  admin: "M12 3 4 6v6c0 4.5 3.4 7.6 8 9 4.6-1.4 8-4.5 8-9V6zM9 12l2 2 4-4",
  account: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM5 20c1-3.5 4-5 7-5s6 1.5 7 5",
  play: "M7 4v16l13-8z",
  pause: "M8 5v14M16 5v14",
  stop: "M6 6h12v12H6z",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  upload: "M12 16V5M7 9l5-5 5 5M5 20h14",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  check: "M5 13l4 4L19 7",
  warning: "M12 4 2.5 20h19zM12 10v4M12 17h.01",
  info: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5M12 8h.01",
  plus: "M12 5v14M5 12h14",
  trash: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
  edit: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5",
  heart: "M12 20C5 15 3 12 3 8.5A4.5 4.5 0 0 1 12 7a4.5 4.5 0 0 1 9 1.5C21 12 19 15 12 20z",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6 6 18",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4",
  out: "M10 4H5v16h5M14 8l4 4-4 4M18 12H9",
  record: "M12 17a5 5 0 1 0 0-10 5 5 0 0 0 0 10z",
  refresh: "M20 11a8 8 0 1 0-2 6M20 5v6h-6",
  book: "M5 4h10a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h10",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
