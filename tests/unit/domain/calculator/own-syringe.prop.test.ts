import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { calculate } from '#app/domain/calculator/calculate.ts';
import { calculationQuery } from '#app/domain/calculator/calculation-query.ts';
import { parseCalculationForm, parseCalculationJson } from '#app/domain/calculator/calculation-schema.ts';
import { syringeName, syringeOf, type OwnSyringe } from '#app/domain/calculator/calculation.ts';
import { findLadder } from '#app/domain/calculator/ladder.ts';
import { parseLadder } from '#app/domain/calculator/ladder-schema.ts';
import {
  MAX_OWN_SYRINGES,
  OWN_SYRINGE_MESSAGES,
  ownSyringeSchema,
  ownSyringeText,
  syringesProblem,
  usualSyringe,
} from '#app/domain/calculator/own-syringe.ts';
import { solve } from '#app/domain/calculator/solve.ts';
import { haveSameScale, scaleWords, unitsText } from '#app/domain/units/quantity.ts';
import { BARREL, markPath, positionOf, scaleLabels } from '#app/features/calculator/syringe-scale.ts';
import { ownSyringe, volumeInput } from '#tests/support/calculator-arbitraries.ts';
import { minus, order, over, rational, size, times } from '#tests/support/rational.ts';

const BLUE = { name: 'Blue', barrelMl: '0.7', unitsPerMl: '40', mark: '0.5' } as const;
const OWN: OwnSyringe = { id: 'own:b1', ...BLUE };
const IN_ML: OwnSyringe = {
  id: 'own:a2',
  name: 'Oral syringe',
  barrelMl: '5',
  unitsPerMl: null,
  mark: '0.2',
};

/** What is stored, or the messages by field. */
const read = (more: Record<string, unknown>) => {
  const parsed = ownSyringeSchema.safeParse({ ...BLUE, ...more });
  if (parsed.success) return parsed.data;
  return Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join('.'), message]));
};

describe('a syringe of one’s own', () => {
  it('is kept as plain decimal text, with ml for numbers without units', () => {
    expect(read({ name: '  Blue\tone ', barrelMl: '0,70 ml', mark: 0.5 })).toMatchObject({
      barrelMl: '0.7',
      mark: '0.5',
    });
    expect(read({ unitsPerMl: undefined, mark: '0.01' })).toMatchObject({ unitsPerMl: null, mark: '0.01' });
    expect(read({ unitsPerMl: null, mark: '0.01' })).toMatchObject({ unitsPerMl: null });
  });

  it.each([
    [{ name: ' ' }, { name: OWN_SYRINGE_MESSAGES.name }],
    [{ name: 'x'.repeat(41) }, { name: OWN_SYRINGE_MESSAGES.name }],
    [{ barrelMl: '0' }, { barrelMl: OWN_SYRINGE_MESSAGES.barrelMl }],
    [{ barrelMl: '60.1' }, { barrelMl: OWN_SYRINGE_MESSAGES.barrelMl }],
    [{ unitsPerMl: '0' }, { unitsPerMl: OWN_SYRINGE_MESSAGES.unitsPerMl }],
    [{ unitsPerMl: '1001' }, { unitsPerMl: OWN_SYRINGE_MESSAGES.unitsPerMl }],
    [{ mark: '0' }, { mark: OWN_SYRINGE_MESSAGES.mark }],
    [{ mark: '0.125' }, { mark: OWN_SYRINGE_MESSAGES.mark }],
    [{ mark: '0.05' }, { mark: OWN_SYRINGE_MESSAGES.tooManyMarks }],
    [{ mark: '3' }, { mark: OWN_SYRINGE_MESSAGES.unevenMarks }],
    [{ mark: '29' }, { mark: OWN_SYRINGE_MESSAGES.unevenMarks }],
  ])('refuses %j', (more, messages) => {
    expect(read(more)).toEqual(messages);
  });

  it('is one of at most twelve with different names', () => {
    const many = Array.from({ length: MAX_OWN_SYRINGES }, (_, at) => ({ name: `No. ${at}` }));
    expect(syringesProblem(many)).toBeNull();
    expect(syringesProblem([...many, { name: 'One more' }])).toBe(OWN_SYRINGE_MESSAGES.tooMany);
    expect(syringesProblem([{ name: 'Blue' }, { name: 'blue' }])).toBe(OWN_SYRINGE_MESSAGES.sameName);
  });

  it('is described by its barrel and its marks', () => {
    expect([OWN, IN_ML].map(ownSyringeText)).toEqual([
      '0.7 ml, 40 units in 1 ml, a mark every 0.5 units',
      '5 ml, a mark every 0.2 ml',
    ]);
    expect([OWN, IN_ML].map((own) => syringeName(syringeOf(own)))).toEqual(['Blue syringe', 'Oral syringe']);
  });

  it('names its units, and has the scale of another with as many in 1 ml', () => {
    expect(unitsText('4', OWN)).toBe('4 U-40 units');
    expect(unitsText('0.4', IN_ML)).toBe('0.4 ml');
    expect([scaleWords({ ...OWN, unitsPerMl: '100' }), scaleWords(IN_ML)]).toEqual(['', '']);
    expect(haveSameScale(OWN, 'u40-1ml')).toBe(true);
    // One unit in 1 ml is not a scale in ml.
    expect(haveSameScale({ ...OWN, unitsPerMl: '1' }, IN_ML)).toBe(false);
  });

  it('is the usual one until it is gone', () => {
    expect(usualSyringe({ syringe: 'own:b1', syringes: [OWN] })).toBe(OWN);
    expect(usualSyringe({ syringe: 'own:b1', syringes: [] })).toBe('u100-1ml');
  });
});

describe('a calculation for a syringe of one’s own', () => {
  const FIELDS = { peptideAmount: '5', waterVolume: '2', desiredDose: '0.25' };

  it('finds it by its id at every door, and refuses it to everybody else', () => {
    const fields = { ...FIELDS, syringe: OWN.id };
    for (const parsed of [parseCalculationForm(fields, [OWN]), parseCalculationJson(fields, [OWN])])
      expect(parsed).toMatchObject({ ok: true, input: { syringe: OWN }, values: { syringe: OWN.id } });
    const refused = {
      ok: false,
      fields: { syringe: ['This syringe is not in your profile. Choose another one'] },
    };
    for (const parsed of [parseCalculationForm(fields), parseCalculationJson(fields, [IN_ML])])
      expect(parsed).toMatchObject(refused);
    const ladder = { peptideAmount: 30, doses: [15], syringe: OWN.id };
    expect(parseLadder(ladder)).toMatchObject(refused);
    expect(parseLadder(ladder, undefined, [OWN])).toMatchObject({ ok: true, input: { syringe: OWN } });
  });

  it('never takes what was sent for the syringe itself', () => {
    expect(parseCalculationJson({ ...FIELDS, syringe: OWN })).toMatchObject({
      ok: false,
      fields: { syringe: ['Choose one of the listed syringes'] },
    });
  });

  it('has its marks and no others, and leads back to itself by its address', () => {
    const parsed = parseCalculationForm({ ...FIELDS, syringe: OWN.id, mark: '0.5' }, [OWN]);
    expect(parsed.ok && calculate(parsed.input)).toMatchObject({
      mark: '0.5',
      unitsText: '4',
      drawsNeeded: 1,
    });
    expect(parseCalculationForm({ ...FIELDS, syringe: OWN.id, mark: '1' }, [OWN])).toMatchObject({
      fields: { mark: ['Choose a mark spacing that this syringe has'] },
    });
    if (!parsed.ok) throw new Error('not valid');
    expect(parseCalculationForm(calculationQuery(parsed.input), [OWN])).toMatchObject({
      input: parsed.input,
    });
  });

  test('draws to the nearest of its marks, in whole barrels and a rest', () => {
    fc.assert(
      fc.property(ownSyringe, fc.integer({ min: 1, max: 5000 }), (own, dose) => {
        const input = volumeInput('5', '2', String(dose / 1000), { syringe: own });
        const { nearestMark, drawsNeeded } = calculate(input);
        const perMl = rational(own.unitsPerMl ?? '1');
        const drawn = times(solve(input).volume, perMl);
        const mark = rational(own.mark);
        const chosen = rational(nearestMark.unitsText);
        expect(over(chosen, mark).n % over(chosen, mark).d).toBe(0n);
        expect(order(times(size(minus(chosen, drawn)), rational('2')), mark)).toBeLessThanOrEqual(0);
        const barrel = times(rational(own.barrelMl), perMl);
        const full = over(drawn, barrel);
        expect(BigInt(drawsNeeded)).toBe((full.n + full.d - 1n) / full.d);
        expect(nearestMark.isExact).toBe(order(chosen, drawn) === 0);
      }),
    );
  });

  test('with a ladder whose marks are its own', () => {
    const ladder = findLadder({
      peptideAmount: '30',
      amountUnit: 'mg',
      doses: ['2.5', '5'],
      desiredDoseUnit: 'mg',
      syringe: OWN,
      capacityMl: '3',
    });
    for (const { doses } of ladder.choices)
      for (const { units } of doses) expect(Number.isInteger(units / 0.5)).toBe(true);
  });
});

describe('the drawing of a syringe of one’s own', () => {
  test('has every mark in its place, and at most ten numbers, each at a mark', () => {
    fc.assert(
      fc.property(ownSyringe, (own) => {
        const syringe = syringeOf(own);
        const places = [...markPath(syringe, own.mark).matchAll(/M([\d.]+) /g)].map(([, x]) => Number(x));
        const barrel = times(rational(own.barrelMl), rational(own.unitsPerMl ?? '1'));
        const { n, d } = over(barrel, rational(own.mark));
        expect([n % d, BigInt(places.length)]).toEqual([0n, n / d + 1n]);
        expect([places[0], places.at(-1)]).toEqual([BARREL.x, BARREL.x + BARREL.width]);
        const apart = BARREL.width / (places.length - 1);
        places.forEach((x, at) => expect(Math.abs(x - BARREL.x - at * apart)).toBeLessThan(0.01));
        const labels = scaleLabels(syringe);
        expect(labels.length).toBeGreaterThan(0);
        expect(labels.length).toBeLessThanOrEqual(10);
        for (const { x, text } of labels) {
          expect(places).toContain(x);
          expect(x).toBe(positionOf(Number(text), syringe));
        }
      }),
    );
  });
});
