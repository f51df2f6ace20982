/** A labelled share of a whole. */
export interface Share {
  key: string;
  label: string;
  /** From 0 to 1; null where there is no number. */
  share: number | null;
  /** "91.7 % (11 of 12)" */
  text: string;
}

/** Shares as bars beside their names, the number written out. */
export function ShareBars({ shares }: { shares: readonly Share[] }) {
  return (
    <dl className="share-bars">
      {shares.map(({ key, label, share, text }) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect className="plot-rest" width="100" height="10" />
              {share === null ? null : <rect className="plot-bar plot-pen" width={share * 100} height="10" />}
            </svg>
            <span className="figure text-sm">{text}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
