import type { ForecastText } from '#app/domain/vials/forecast.ts';
import { Badge, type BadgeTone } from '#app/ui/badge.tsx';

const TONES: Readonly<Record<ForecastText['level'], BadgeTone>> = {
  unknown: 'soft',
  ok: 'good',
  amber: 'warn',
  red: 'danger',
};

/** How long the stock of this compound lasts. */
export function ForecastBlock({ name, forecast }: { name: string; forecast: ForecastText }) {
  return (
    <section aria-labelledby="forecast-title" className="sheet grid gap-2 p-5">
      <h2 id="forecast-title" className="flex flex-wrap items-center gap-3">
        {`Stock of ${name}`}
        <Badge tone={TONES[forecast.level]}>{forecast.badge}</Badge>
      </h2>
      <p>{forecast.text}</p>
      {forecast.reorder ? <p className="font-semibold">{forecast.reorder}</p> : null}
    </section>
  );
}
