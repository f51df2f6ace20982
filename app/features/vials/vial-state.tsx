import type { VialRow } from '#app/domain/vials/vial-texts.ts';
import { Badge, type BadgeTone } from '#app/ui/badge.tsx';

/** A bar that shows how full a vial is. It repeats the figures beside it. */
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

const DATE_TONES: Readonly<Record<NonNullable<VialRow['date']>['state'], BadgeTone>> = {
  good: 'good',
  soon: 'warn',
  past: 'danger',
  unknown: 'soft',
};

/** Badges for a vial's status, date and stock. The colours only repeat the words. */
export function VialBadges({ row }: { row: VialRow }) {
  return (
    <span className="vial-badges">
      <Badge tone={row.status === 'in_use' ? 'pen' : 'soft'}>{row.statusText}</Badge>
      {row.date && row.date.state !== 'unknown' ? (
        <Badge tone={DATE_TONES[row.date.state]}>{row.date.text}</Badge>
      ) : null}
      {row.formText ? <Badge tone="soft">{row.formText}</Badge> : null}
      {row.isLow ? <Badge tone="warn">Low</Badge> : null}
      {row.overdrawnText ? (
        <Badge tone="danger">{`Over-drawn by ${row.overdrawnText} ${row.unit}`}</Badge>
      ) : null}
    </span>
  );
}
