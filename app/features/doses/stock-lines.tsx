import { Link } from '@remix-run/react';
import type { StockForecast } from '#app/domain/vials/forecast.ts';
import { shownDay } from '#app/domain/time/format-day.ts';
import { Badge, type BadgeTone } from '#app/ui/badge.tsx';

const TONES: Readonly<Record<StockForecast['level'], BadgeTone>> = {
  unknown: 'soft',
  ok: 'good',
  amber: 'warn',
  red: 'danger',
};

const WORDS: Readonly<Record<StockForecast['level'], string>> = {
  unknown: 'Unknown',
  ok: 'Enough',
  amber: 'Low',
  red: 'Very low',
};

const MISSING: Readonly<Record<NonNullable<StockForecast['why']>, string>> = {
  'no-doses': 'no doses to come',
  'no-vials': 'no vial of this name is noted',
  'no-amount': 'a dose has no amount',
};

function forecastText({ why, runOutDay, daysOfSupply, until }: StockForecast): string {
  if (why !== null) return MISSING[why];
  if (runOutDay === null) return `lasts beyond ${shownDay(until)}`;
  return `runs out on ${shownDay(runOutDay)}, in ${daysOfSupply} ${daysOfSupply === 1 ? 'day' : 'days'}`;
}

/** When the stock of what is to be taken runs out. */
export function StockForecasts({ forecasts }: { forecasts: readonly StockForecast[] }) {
  const asked = forecasts.filter(({ why }) => why !== 'no-doses');
  if (asked.length === 0) return null;
  return (
    <section aria-labelledby="stock" className="dose-group">
      <h2 id="stock">Stock</h2>
      <ul className="sheet">
        {asked.map((forecast) => (
          <li key={forecast.nameKey} className="upcoming-line upcoming-day">
            <Badge tone={TONES[forecast.level]}>{WORDS[forecast.level]}</Badge>
            <span>
              <span className="font-semibold">{forecast.name}</span> {forecastText(forecast)}
            </span>
          </li>
        ))}
      </ul>
      <p className="py-2 text-sm">
        <Link to="/dashboard/vials">Vials</Link>
      </p>
    </section>
  );
}
