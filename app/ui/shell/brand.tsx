import { Link } from '@remix-run/react';

/** The product's mark: a vial drawn on a ruled page. */
export function BrandMark({ size = 28 }: { size?: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 32 32" className="shrink-0">
      <rect x="1" y="1" width="30" height="30" rx="3" className="fill-pen" />
      <path d="M6 1v30" className="stroke-on-pen" strokeOpacity="0.5" />
      <path
        d="M14 6h9v4h-9zM13 12h11l1 2.5V26H12V14.5z"
        fill="none"
        className="stroke-on-pen"
        strokeWidth="2"
        strokeLinejoin="round"
      />
      <path d="M13 19h11v6H13z" className="fill-on-pen" />
    </svg>
  );
}

export function Brand({ to }: { to: string }) {
  return (
    <Link
      to={to}
      className="inline-flex min-h-11 items-center gap-2 font-serif text-xl font-semibold text-ink no-underline"
    >
      <BrandMark />
      <span className="brand-name">Vialbook</span>
    </Link>
  );
}
