import { LinkButton } from './button.tsx';

interface PaginationProps {
  /** What is paged, for the name of the landmark: "Saved calculations". */
  label: string;
  /** "1–20 of 53" or whatever can be said cheaply. */
  position?: string;
  previousHref?: string;
  nextHref?: string;
}

/** Previous and next as plain links; nothing when there is one page. */
export function Pagination({ label, position, previousHref, nextHref }: PaginationProps) {
  if (!previousHref && !nextHref) return null;
  return (
    <nav
      aria-label={`${label}, pages`}
      className="no-print flex flex-wrap items-center justify-between gap-3 py-4"
    >
      {previousHref ? (
        <LinkButton to={previousHref} rel="prev">
          Previous
        </LinkButton>
      ) : (
        <span />
      )}
      {position ? <span className="figure text-sm text-soft">{position}</span> : null}
      {nextHref ? (
        <LinkButton to={nextHref} rel="next">
          Next
        </LinkButton>
      ) : (
        <span />
      )}
    </nav>
  );
}
