import { describe, expect, it } from 'vitest';
import type { StockForecast } from '#app/domain/vials/forecast.ts';
import { reorderSuggestions } from '#app/domain/vendors/reorder.ts';

const DAY = '2026-03-10';

const forecast = (
  name: string,
  reorderBy: string | null,
  more: Partial<StockForecast> = {},
): StockForecast => ({
  name,
  nameKey: name.toLowerCase(),
  level: 'amber',
  why: null,
  measure: 'mg',
  stockMg: '1',
  expiredMg: '0',
  wasted: null,
  runOutDay: reorderBy === null ? null : '2026-03-30',
  daysOfSupply: 20,
  reorderBy,
  until: '2026-07-01',
  ...more,
});

const product = (id: string, name: string, mgPerVial: string, price: string, currency = 'USD') => {
  return { id, name, mgPerVial, price, currency };
};

describe('reorder suggestions', () => {
  it('list what must be ordered within two weeks, most urgent first', () => {
    const forecasts = [
      forecast('Later', '2026-03-25'),
      forecast('Edge', '2026-03-24'),
      forecast('Late', '2026-03-01'),
      forecast('Today', '2026-03-10'),
      forecast('Enough', null),
    ];
    const found = reorderSuggestions(forecasts, [], [], DAY);
    expect(found.map(({ name, isDue }) => [name, isDue])).toEqual([
      ['Late', true],
      ['Today', true],
      ['Edge', false],
    ]);
  });

  it('offer the lowest price per mg in each currency, however the name is written', () => {
    const products = [
      product('a', 'BPC-157', '5', '30'),
      product('b', 'bpc-157 ', '10', '50'),
      product('c', 'BPC-157', '5', '20', 'EUR'),
      product('d', 'TB-500', '5', '1'),
    ];
    const [found] = reorderSuggestions([forecast('BPC-157', DAY)], products, [], DAY);
    expect(found?.offers.map(({ product: { id }, perMgText }) => [id, perMgText])).toEqual([
      ['c', '4.00 EUR/mg'],
      ['b', '5.00 USD/mg'],
    ]);
  });

  it('say how many vials are already on order', () => {
    const orders = [
      {
        id: 'one',
        lines: [
          { name: 'BPC-157', quantity: 2 },
          { name: 'bpc-157', quantity: 1 },
        ],
      },
      { id: 'two', lines: [{ name: 'TB-500', quantity: 9 }] },
    ];
    const [found] = reorderSuggestions([forecast('BPC-157', DAY)], [], orders, DAY);
    expect(found?.onTheWay).toEqual([{ orderId: 'one', vials: 3 }]);
    expect(found?.offers).toEqual([]);
  });
});
