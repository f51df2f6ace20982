import type { ReactNode } from 'react';

interface EmptyStateProps {
  title: string;
  /** What will be here and why it is useful. */
  children: ReactNode;
  /** The first thing to do. */
  action?: ReactNode;
  /** Of its heading: 2 right below the page's title. */
  level?: 2 | 3;
  /** An outline of the page's future content; none if there won't be any. */
  sketch?: 'rows' | 'chart';
}

/** Heights of the bars. */
const BARS = [14, 22, 18, 30, 26, 38, 34] as const;

/** An outline without words or figures, so that nobody takes it for data. */
function Sketch({ kind }: { kind: 'rows' | 'chart' }) {
  return (
    <svg className="sketch" viewBox="0 0 168 48" aria-hidden="true">
      {kind === 'chart' ? (
        <>
          <path d="M2 2v44h164" />
          {BARS.map((height, at) => (
            <rect key={at} x={12 + at * 22} y={46 - height} width="12" height={height} />
          ))}
        </>
      ) : (
        [2, 18, 34].map((y) => (
          <g key={y}>
            <rect x="2" y={y} width="12" height="12" rx="2" />
            <path d={`M22 ${y + 4}h76M22 ${y + 9}h44M132 ${y + 6}h34`} />
          </g>
        ))
      )}
    </svg>
  );
}

export function EmptyState({ title, children, action, level = 3, sketch }: EmptyStateProps) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <div className="margin-rule py-6 ps-6">
      {sketch ? <Sketch kind={sketch} /> : null}
      <Heading className={level === 2 ? 'text-xl' : undefined}>{title}</Heading>
      <div className="mt-1 max-w-prose text-soft">{children}</div>
      {action ? <div className="mt-4">{action}</div> : null}
    </div>
  );
}
