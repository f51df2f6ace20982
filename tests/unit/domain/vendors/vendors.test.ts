import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare, fixedText, Decimal } from '#app/domain/decimal/decimal.ts';
import { productSchema, supplierSchema, readCatalogue } from '#app/domain/vendors/vendor-schema.ts';
import { orderSchema } from '#app/domain/vendors/order-schema.ts';
import {
  comparePrices,
  pricePerMg,
  type PricedProduct,
  currencyCode,
  orderTotal,
  shownPrice,
} from '#app/domain/vendors/price-per-mg.ts';
import { mayBecome, nextStates, ORDER_STATES } from '#app/domain/vendors/order-states.ts';

const product = (id: string, name: string, mgPerVial: string, price: string, currency = 'USD') => {
  return { id, name, mgPerVial, price, currency };
};

const priced = fc.record({
  id: fc.uuid(),
  name: fc.constantFrom('BPC-157', 'bpc-157 ', 'TB-500'),
  mgPerVial: fc.integer({ min: 1, max: 99_999 }).map((mg) => String(mg / 100)),
  price: fc.integer({ min: 0, max: 999_999 }).map((cents) => (cents / 100).toFixed(2)),
  currency: fc.constantFrom('USD', 'EUR'),
});

describe('the price per mg', () => {
  it('is exact: 0.1 for 0.3 mg is a third', () => {
    const perMg = pricePerMg({ price: '0.1', mgPerVial: '0.3' });
    expect(compare(perMg, { n: 1n, d: 3n })).toBe(0);
  });

  it('sorts the cheapest first and says how much more the others cost', () => {
    const [group] = comparePrices([
      product('a', 'BPC-157', '5', '30'),
      product('b', 'bpc-157', '10', '45'),
      product('c', 'BPC-157', '5', '22.50'),
    ]);
    expect(
      group?.rows.map(({ product: { id }, perMgText, dearerPercent, isCheapest }) => [
        id,
        perMgText,
        dearerPercent,
        isCheapest,
      ]),
    ).toEqual([
      ['b', '4.50 USD/mg', '0', true],
      ['c', '4.50 USD/mg', '0', true],
      ['a', '6.00 USD/mg', '33', false],
    ]);
  });

  it('is not compared between currencies', () => {
    const groups = comparePrices([product('a', 'X', '1', '1', 'USD'), product('b', 'X', '1', '1', 'EUR')]);
    expect(groups.map(({ currency }) => currency)).toEqual(['EUR', 'USD']);
  });

  it('of a free sample is the lowest of all', () => {
    const [group] = comparePrices([product('a', 'X', '1', '1'), product('b', 'X', '1', '0')]);
    expect(group?.rows.map(({ dearerPercent }) => dearerPercent)).toEqual(['0', '∞']);
  });

  it('puts every product in one group, sorted like naive division', () => {
    fc.assert(
      fc.property(fc.uniqueArray(priced, { selector: ({ id }) => id, maxLength: 30 }), (products) => {
        const groups = comparePrices<PricedProduct>(products);
        expect(groups.flatMap(({ rows }) => rows).length).toBe(products.length);
        for (const { rows, currency } of groups) {
          for (const [index, { product: here, perMg, isCheapest }] of rows.entries()) {
            expect(here.currency).toBe(currency);
            const before = rows[index - 1];
            if (before) expect(compare(before.perMg, perMg)).toBeLessThanOrEqual(0);
            expect(isCheapest).toBe(rows.every((row) => compare(perMg, row.perMg) <= 0));
            expect(Number(fixedText(perMg, 6))).toBeCloseTo(Number(here.price) / Number(here.mgPerVial), 5);
          }
        }
      }),
    );
  });
});

describe('an amount of money', () => {
  it('has two decimals, or more if it would show as zero', () => {
    expect(shownPrice('49.9', 'USD')).toBe('49.90 USD');
    expect(shownPrice('0.0042', 'EUR')).toBe('0.0042 EUR');
    expect(shownPrice('0', 'EUR')).toBe('0.00 EUR');
  });

  it('is the exact sum of an order’s lines', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            quantity: fc.integer({ min: 1, max: 100 }),
            cents: fc.integer({ min: 0, max: 99_999 }),
          }),
        ),
        (lines) => {
          const total = orderTotal(
            lines.map(({ quantity, cents }) => ({ quantity, price: new Decimal(cents).div(100).toFixed(2) })),
          );
          const cents = lines.reduce((sum, line) => sum + line.quantity * line.cents, 0);
          expect(compare(total, { n: BigInt(cents), d: 100n })).toBe(0);
        },
      ),
    );
  });

  it.each([
    ['usd', 'USD'],
    [' Eur ', 'EUR'],
    ['US', null],
    ['US$', null],
    ['', null],
  ])('takes the currency %j as %s', (text, code) => expect(currencyCode(text)).toBe(code));
});

describe('states of an order', () => {
  it('are final when received or cancelled, and never go back', () => {
    expect(nextStates('received')).toEqual([]);
    expect(nextStates('cancelled')).toEqual([]);
    for (const state of ORDER_STATES) {
      expect(mayBecome(state, 'draft')).toBe(false);
      expect(mayBecome(state, state)).toBe(false);
    }
  });

  it('do not allow a draft to be received or confirmed, or a confirmed order to be sent', () => {
    expect(mayBecome('draft', 'received')).toBe(false);
    expect(mayBecome('draft', 'confirmed')).toBe(false);
    expect(mayBecome('confirmed', 'sent')).toBe(false);
    expect(mayBecome('sent', 'received')).toBe(true);
  });
});

describe('the vendor forms', () => {
  const firstMessage = (result: { success: boolean; error?: { issues: { message: string }[] } }) =>
    result.success ? null : result.error?.issues[0]?.message;
  const valid = { name: ' BPC-157 ', mgPerVial: '5', price: '29,90', currency: 'usd' };

  it('accept a decimal comma, a lower-case currency and spaces around a name', () => {
    expect(productSchema.parse(valid)).toEqual({
      name: 'BPC-157',
      form: 'lyophilised',
      mgPerVial: '5',
      price: '29.90',
      currency: 'USD',
    });
  });

  it.each([
    [{ name: '' }, 'Enter a name'],
    [{ name: 'x'.repeat(101) }, 'Name can have at most 100 characters'],
    [{ mgPerVial: '0' }, 'Amount per vial must be above 0 and at most 10000 mg'],
    [{ mgPerVial: '1e3' }, '1e3 is not an amount; write it without an exponent'],
    [{ price: '-1' }, 'Price must be a number from 0 to 1000000'],
    [{ price: { $gt: '' } }, 'Price must be a number from 0 to 1000000'],
    [{ currency: 'dollars' }, 'Currency must be a three-letter code, such as USD'],
    [{ form: 'pill' }, 'Choose one of the listed forms'],
  ])('refuse %j', (wrong, message) =>
    expect(firstMessage(productSchema.safeParse({ ...valid, ...wrong }))).toBe(message),
  );

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'example.org',
    '//example.org',
    'https://shop.example@evil.example',
    'https://a:b@c.example',
  ])('refuse %s as a website', (site) =>
    expect(supplierSchema.safeParse({ name: 'A', site }).success).toBe(false),
  );

  it('report one error, not two, for a quantity that is not a number', () => {
    const lines = [{ name: 'BPC-157', mgPerVial: '5', price: '30', currency: 'USD', quantity: 'x' }];
    const { error } = orderSchema.safeParse({ supplierId: 's', lines });
    expect(error?.issues.map(({ message }) => message)).toEqual([
      'Quantity must be a whole number from 1 to 100',
    ]);
  });

  it('require one currency and at least one product in an order', () => {
    const line = { ...valid, quantity: '2' };
    expect(orderSchema.safeParse({ supplierId: 's', lines: [line] }).success).toBe(true);
    expect(orderSchema.safeParse({ supplierId: 's', lines: [] }).success).toBe(false);
    const mixed = { supplierId: 's', lines: [line, { ...line, currency: 'EUR' }] };
    expect(firstMessage(orderSchema.safeParse(mixed))).toBe(
      'All products in an order must use the same currency',
    );
    expect(orderSchema.safeParse({ supplierId: 's', lines: [{ ...line, quantity: '0' }] }).success).toBe(
      false,
    );
  });
});

describe('a catalogue', () => {
  it('keeps the valid lines and reports what is wrong with the others', () => {
    const { rows, bad } = readCatalogue(
      [
        { line: 2, cells: { Product: 'BPC-157', 'mg per vial': '5', Price: '30', Colour: 'white' } },
        { line: 3, cells: { Product: '', 'mg per vial': '5', Price: '30' } },
        { line: 4, cells: { Product: 'TB-500', 'mg per vial': 'five', Price: '30' } },
        {
          line: 5,
          cells: { Product: 'TB-500', 'mg per vial': '5', Price: '30', Currency: 'eur', Form: 'Tablet' },
        },
      ],
      'USD',
    );
    expect(rows.map(({ line, name, currency, form }) => [line, name, currency, form])).toEqual([
      [2, 'BPC-157', 'USD', 'lyophilised'],
      [5, 'TB-500', 'EUR', 'other'],
    ]);
    expect(bad).toEqual([
      { line: 3, reason: 'Enter a name' },
      { line: 4, reason: 'Enter a number, such as 5' },
    ]);
  });
});
