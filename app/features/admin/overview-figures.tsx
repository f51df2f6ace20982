import { Link } from '@remix-run/react';

/** One figure of the overview. */
export interface OverviewFigure {
  label: string;
  value: string;
  /** What stands under it: a share, an average. */
  note: string;
  /** The rows it counts. */
  href?: string;
}

/** The figures on top of an admin page, each a link to what it counts. */
export function OverviewFigures({ figures }: { figures: readonly OverviewFigure[] }) {
  return (
    <dl className="admin-figures">
      {figures.map(({ label, value, note, href }) => (
        <div key={label} className="sheet p-4">
          <dt className="text-sm text-soft">{label}</dt>
          <dd>
            {href ? (
              <Link to={href} className="admin-figure figure">
                {value}
              </Link>
            ) : (
              <span className="admin-figure figure">{value}</span>
            )}
          </dd>
          <dd className="text-sm text-soft">{note}</dd>
        </div>
      ))}
    </dl>
  );
}
