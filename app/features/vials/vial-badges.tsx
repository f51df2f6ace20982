import type { VialRow } from '#app/domain/vials/vial-texts.ts';
import { Badge, type BadgeTone } from '#app/ui/badge.tsx';

const DATE_TONES: Readonly<Record<NonNullable<VialRow['date']>['state'], BadgeTone>> = {
  good: 'good',
  soon: 'warn',
  past: 'danger',
  unknown: 'soft',
};

/** State, date and stock of a vial in words; the colours only repeat them. */
export function VialBadges({ row }: { row: VialRow }) {
  return (
    <span className="vial-badges">
      <Badge tone={row.status === 'in_use' ? 'pen' : 'soft'}>{row.statusText}</Badge>
      {row.date ? <Badge tone={DATE_TONES[row.date.state]}>{row.date.text}</Badge> : null}
      {row.isLow ? <Badge tone="warn">Low</Badge> : null}
      {row.overdrawnText ? <Badge tone="danger">{`Over-drawn by ${row.overdrawnText} mg`}</Badge> : null}
    </span>
  );
}
