const PATHS = {
  calculator: 'M5 3h14v18H5zM8 6h8v4H8zM8 14h.01M12 14h.01M16 14h.01M8 17.5h.01M12 17.5h.01M16 17.5h.01',
  vial: 'M9 3h6v3H9zM8 6h8v3l1 2v9a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1v-9l1-2zM7 14h10',
  pin: 'M12 21s-6-6.2-6-11a6 6 0 0 1 12 0c0 4.8-6 11-6 11zM12 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  calendar: 'M4 6h16v15H4zM4 10.5h16M8 3v5M16 3v5',
  chart: 'M4 4v16h16M8 16v-4M12 16V8M16 16v-6',
  truck:
    'M3 6h11v10H3zM14 10h4l3 3v3h-7zM7 19a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM17 19a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 21.5h4',
  gift: 'M4 9h16v4H4zM6 13h12v8H6zM12 9v12M12 9C9 9 7 8 7 6s4-3 5 3c1-6 5-5 5-3s-2 3-5 3z',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 3.6-6 8-6s8 2 8 6',
  download: 'M12 4v11M7.5 10.5 12 15l4.5-4.5M4 20h16',
  lock: 'M6 11h12v10H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  more: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6 6 18',
  chevron: 'M9 5l7 7-7 7',
  copy: 'M9 9h11v12H9zM5 15H4V3h11v2',
  trash: 'M4 7h16M9 7V4h6v3M6.5 7l1 14h9l1-14M10 11v6M14 11v6',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 21 21',
  check: 'M4.5 12.5 10 18 20 6.5',
  warning: 'M12 3.5 22 20.5H2zM12 10v5M12 17.8h.01',
  error: 'M8 3h8l5 5v8l-5 5H8l-5-5V8zM12 7.5v5.5M12 16.4h.01',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v6M12 7.5h.01',
  print: 'M7 8V3h10v5M7 17H4V8h16v9h-3M7 14h10v7H7z',
} as const;

export type IconName = keyof typeof PATHS;

export const ICON_NAMES = Object.keys(PATHS) as readonly IconName[];

/** A line drawing on a 24-unit square. Decorative: the text beside it carries the meaning. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      className="shrink-0"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
