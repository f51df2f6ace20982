/** The waiting state of a slow page or part. The word is there without the motion. */
export function Spinner({ label = 'Loading...' }: { label?: string }) {
  return (
    <div role="status" className="flex items-center justify-center gap-3 p-8 text-soft">
      <svg
        aria-hidden="true"
        className="spin"
        width="20"
        height="20"
        viewBox="0 0 20 20"
        fill="none"
        strokeWidth="2"
      >
        <circle cx="10" cy="10" r="8" className="stroke-line" />
        <path d="M10 2a8 8 0 0 1 8 8" className="stroke-pen" />
      </svg>
      {label}
    </div>
  );
}
