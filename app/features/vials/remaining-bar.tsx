/** How full a vial is. The figures beside it say the same; the bar is for the quick look. */
export function RemainingBar({ percent }: { percent: number }) {
  return (
    <svg
      role="img"
      aria-label={`${percent} percent left`}
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      className="remaining-bar"
    >
      <rect width="100" height="6" className="remaining-track" />
      <rect width={percent} height="6" className="remaining-left" />
    </svg>
  );
}
