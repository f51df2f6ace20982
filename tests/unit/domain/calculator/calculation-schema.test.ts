import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { calculate } from '#app/domain/calculator/calculate.ts';
import { FIELD_MESSAGES, OVERFULL_MESSAGE } from '#app/domain/calculator/solve.ts';
import {
  CALCULATION_FIELDS,
  parseCalculationForm,
  parseCalculationJson,
  parseCalculationOptions,
  type ParsedCalculation,
} from '#app/domain/calculator/calculation-schema.ts';
import { CALCULATOR_VECTORS } from '#tests/support/calculator-vectors.ts';

const AMOUNT = 'Peptide amount must be between 0.1mg and 100mg';
const WATER = 'Water volume must be between 0.5ml and 10ml';
const DOSE = 'Desired dose must be positive and less than total peptide amount';

const query = (text: string): ParsedCalculation => parseCalculationForm(new URLSearchParams(text));
const fieldsOf = (parsed: ParsedCalculation) => (parsed.ok ? {} : parsed.fields);
const inputOf = (parsed: ParsedCalculation) => {
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.fields));
  return parsed.input;
};

describe('a calculator form', () => {
  test.each(CALCULATOR_VECTORS)('reads the vector "$name"', (vector) => {
    const parsed = query(
      `peptideAmount=${vector.amount}&waterVolume=${vector.water}&desiredDose=${vector.dose}&desiredDoseUnit=${vector.doseUnit}`,
    );
    expect(calculate(inputOf(parsed)).summary).toBe(vector.summary);
  });

  test('gets defaults for missing fields, and empty fields are left out', () => {
    expect(
      inputOf(query('peptideAmount=5&waterVolume=2&desiredDose=0.25&mark=&notes=&peptideName=+')),
    ).toEqual({
      solveFor: 'volume',
      peptideAmount: '5',
      waterVolume: '2',
      desiredDose: '0.25',
      desiredDoseUnit: 'mg',
      syringe: 'u100-1ml',
      displacement: '0',
    });
  });

  test('keeps every given field', () => {
    const parsed = query(
      'solveFor=water&peptideAmount=5&desiredDose=250&desiredDoseUnit=mcg&drawVolume=0,1&syringe=u100-0.3ml&mark=0.5' +
        '&displacement=0,7&peptideName=BPC-157&notes=one%0D%0Atwo',
    );
    expect(inputOf(parsed)).toEqual({
      solveFor: 'water',
      peptideAmount: '5',
      desiredDose: '250',
      desiredDoseUnit: 'mcg',
      drawVolume: '0.1',
      syringe: 'u100-0.3ml',
      mark: '0.5',
      displacement: '0.7',
      peptideName: 'BPC-157',
      notes: 'one\ntwo',
    });
  });

  test.each(['0,25', '0.25', '.25', ' 0.25 ', '0.250'])('reads the dose %j as a quarter', (dose) => {
    expect(
      calculate(inputOf(parseCalculationForm({ peptideAmount: '5', waterVolume: '2', desiredDose: dose })))
        .desiredDose,
    ).toBe(0.25);
  });

  test.each([
    '1,000.5',
    '1e1',
    '+1',
    '-1',
    '$5',
    '5ml/mg',
    '1..2',
    '0x5',
    '∞',
    'NaN',
    '1 0',
    '9'.repeat(1_000_000),
  ])('refuses the number %.20j, says what is wrong, and keeps it for the form', (text) => {
    const parsed = parseCalculationForm({ peptideAmount: text, waterVolume: text, desiredDose: text });
    const messages = Object.values(fieldsOf(parsed)).flat();
    expect(messages).toHaveLength(3);
    for (const message of messages) {
      expect(message.startsWith(text.slice(0, 30)) || message.startsWith('Enter a number, such as')).toBe(
        true,
      );
      expect(message).not.toContain('must be');
    }
    expect(parsed.values.peptideAmount).toBe(text.slice(0, 4000));
  });

  test('asks for all three numbers if it is empty', () => {
    expect(fieldsOf(query(''))).toEqual({
      peptideAmount: [AMOUNT],
      waterVolume: [WATER],
      desiredDose: [DOSE],
    });
    expect(query('').values).toEqual({});
  });

  test('reports all errors at once, in the order of the form', () => {
    const parsed = query(
      'desiredDoseUnit=g&syringe=big&waterVolume=11&peptideAmount=x&desiredDose=0&displacement=-1&mark=3',
    );
    expect(Object.keys(fieldsOf(parsed))).toEqual([
      'peptideAmount',
      'waterVolume',
      'desiredDose',
      'desiredDoseUnit',
      'syringe',
      'mark',
      'displacement',
    ]);
  });

  test('refuses a field that is sent twice', () => {
    const parsed = query(
      'peptideAmount=5&peptideAmount=50&waterVolume=2&desiredDose=1&syringe=u40-1ml&syringe=u40-1ml',
    );
    expect(Object.keys(fieldsOf(parsed))).toEqual(['peptideAmount', 'syringe']);
    expect(parsed.values.peptideAmount).toBe('5');
  });

  test('ignores controls of the other modes', () => {
    expect(query('solveFor=volume&peptideAmount=5&waterVolume=2&desiredDose=1&drawVolume=oops').ok).toBe(
      true,
    );
    expect(query('solveFor=dose&peptideAmount=5&waterVolume=2&desiredDose=oops&drawVolume=1').ok).toBe(true);
    expect(query('solveFor=water&peptideAmount=5&waterVolume=999&desiredDose=1&drawVolume=1').ok).toBe(true);
    expect(
      inputOf(query('solveFor=volume&peptideAmount=5&waterVolume=2&desiredDose=1&drawVolume=1')),
    ).not.toHaveProperty('drawVolume');
  });

  test('refuses a URL with water, dose and draw but without a mode', () => {
    expect(fieldsOf(query('peptideAmount=5&waterVolume=2&desiredDose=1&drawVolume=0.1'))).toEqual({
      drawVolume: [OVERFULL_MESSAGE],
    });
  });

  test('gives the message of a field if its solved value is outside the limits', () => {
    expect(fieldsOf(query('solveFor=water&peptideAmount=5&desiredDose=0.25&drawVolume=1'))).toEqual({
      waterVolume: [WATER],
    });
    expect(fieldsOf(query('solveFor=dose&peptideAmount=5&waterVolume=2&drawVolume=3'))).toEqual({
      desiredDose: [DOSE],
    });
    expect(fieldsOf(query('solveFor=dose&peptideAmount=5&waterVolume=2&drawVolume=0'))).toEqual({
      drawVolume: [FIELD_MESSAGES.drawVolume],
    });
  });

  test.each([
    ['u100-1ml', '2', true],
    ['u100-1ml', '1.0', true],
    ['u100-1ml', '0.5', false],
    ['u100-0.5ml', '2', false],
    ['u100-0.3ml', '0,5', true],
    ['u40-1ml', '2', true],
    ['u100-1ml', '3', false],
  ])('%s with marks of %s: %s', (syringe, mark, ok) => {
    expect(query(`peptideAmount=5&waterVolume=2&desiredDose=1&syringe=${syringe}&mark=${mark}`).ok).toBe(ok);
  });

  test('refuses a file in place of a number', () => {
    const form = new FormData();
    form.set('peptideAmount', new Blob(['5']), 'amount.txt');
    form.set('waterVolume', '2');
    form.set('desiredDose', '1');
    expect(fieldsOf(parseCalculationForm(form))).toEqual({ peptideAmount: [AMOUNT] });
  });
});

describe('name and notes of a calculation', () => {
  const named = (peptideName: string, notes = '') =>
    parseCalculationForm({ peptideAmount: '5', waterVolume: '2', desiredDose: '1', peptideName, notes });

  test('make the name one line without control characters', () => {
    expect(inputOf(named('  BPC-157\r\n  blue\u0000 cap ')).peptideName).toBe('BPC-157 blue cap');
    expect(inputOf(named('Семаглутид 5 мг')).peptideName).toBe('Семаглутид 5 мг');
  });

  test('keep the lines of the notes', () => {
    expect(inputOf(named('x', 'a\r\nb\rc\n\td\u0007')).notes).toBe('a\nb\nc\n\td');
  });

  test('are limited to 100 and 2000 characters', () => {
    expect(named('n'.repeat(100), 'n'.repeat(2000)).ok).toBe(true);
    expect(fieldsOf(named('n'.repeat(101), 'n'.repeat(2001)))).toEqual({
      peptideName: ['Peptide name can have at most 100 characters'],
      notes: ['Notes can have at most 2000 characters'],
    });
  });
});

describe('a calculation as a JSON body', () => {
  test('reads numbers by their shortest decimal text, and decimal strings', () => {
    expect(
      inputOf(parseCalculationJson({ peptideAmount: 2.01, waterVolume: '2', desiredDose: 1e-7 })),
    ).toMatchObject({
      peptideAmount: '2.01',
      waterVolume: '2',
      desiredDose: '0.0000001',
    });
    expect(
      calculate(inputOf(parseCalculationJson({ peptideAmount: 2.01, waterVolume: 2, desiredDose: 0.1 })))
        .concentrationText,
    ).toBe('1.01');
  });

  test.each([
    [{}, 'drawVolume'],
    [{ solveFor: 'volume' }, 'drawVolume'],
    [{ solveFor: 'water' }, 'waterVolume'],
    [{ solveFor: 'dose' }, 'desiredDose'],
  ])('refuses water, dose and draw together with %j, because one would be ignored', (sought, field) => {
    const all = { peptideAmount: 5, waterVolume: 2, desiredDose: 1, drawVolume: 0.1 };
    expect(fieldsOf(parseCalculationJson({ ...all, ...sought }))).toEqual({ [field]: [OVERFULL_MESSAGE] });
    expect(fieldsOf(parseCalculationOptions({ ...all, ...sought }))).toEqual({ [field]: [OVERFULL_MESSAGE] });
    expect(parseCalculationJson({ ...all, ...sought, [field]: null }).ok).toBe(true);
  });

  test('reads doses in mcg as such, a thousandth of the same number in mg', () => {
    const body = { peptideAmount: 5, waterVolume: 2, desiredDose: 1 };
    expect(parseCalculationJson({ ...body, desiredDoseUnit: 'mg' }).ok).toBe(true);
    const inMcg = inputOf(parseCalculationJson({ ...body, desiredDose: 1000, desiredDoseUnit: 'mcg' }));
    expect(inMcg).toMatchObject({ desiredDose: '1000', desiredDoseUnit: 'mcg' });
    expect(calculate(inMcg).injectionVolumeText).toBe(
      calculate(inputOf(parseCalculationJson(body))).injectionVolumeText,
    );
  });

  test('treats null as absent', () => {
    expect(
      inputOf(
        parseCalculationJson({ peptideAmount: 5, waterVolume: 2, desiredDose: 1, notes: null, mark: null }),
      ),
    ).not.toHaveProperty('notes');
  });

  test.each([null, undefined, 5, 'text', true, [], [1, 2], {}, [['peptideAmount', '5']]])(
    'the body %j asks for the numbers',
    (body) => {
      expect(Object.keys(fieldsOf(parseCalculationJson(body)))).toEqual([
        'peptideAmount',
        'waterVolume',
        'desiredDose',
      ]);
    },
  );

  test.each([{ $gt: 0 }, [5], true, NaN, Infinity, -1, 1e300, 5e-324, '', '  '])(
    '%j is no amount',
    (peptideAmount) => {
      expect(fieldsOf(parseCalculationJson({ peptideAmount, waterVolume: 2, desiredDose: 1 }))).toEqual({
        peptideAmount: [AMOUNT],
      });
    },
  );

  test('ignores unknown fields, whatever their name', () => {
    const body = JSON.parse(
      '{"peptideAmount":5,"waterVolume":2,"desiredDose":1,"userId":"x","role":"admin","__proto__":{"a":1},"constructor":1,"$where":"1"}',
    ) as unknown;
    expect(Object.keys(inputOf(parseCalculationJson(body))).sort()).toEqual(
      [
        'desiredDose',
        'desiredDoseUnit',
        'displacement',
        'peptideAmount',
        'solveFor',
        'syringe',
        'waterVolume',
      ].sort(),
    );
  });

  test('ignores fields of the prototype', () => {
    const body: unknown = Object.create({ peptideAmount: 5, waterVolume: 2, desiredDose: 1 });
    expect(parseCalculationJson(body).ok).toBe(false);
  });
});

describe('law: parsing never throws', () => {
  const value = fc.oneof(
    fc.anything(),
    fc.string(),
    fc.double(),
    fc.constantFrom('5', '2', '0.25', 'mg', 'u40-1ml', 'water'),
  );
  const body = fc.dictionary(fc.constantFrom(...CALCULATION_FIELDS, 'other'), value);

  test('forms and JSON give either a valid input or messages', () => {
    fc.assert(
      fc.property(body, (record) => {
        for (const parsed of [
          parseCalculationForm(record),
          parseCalculationJson(record),
          parseCalculationForm(Object.entries(record)),
        ]) {
          if (parsed.ok) expect(calculate(parsed.input).summary).toMatch(/units\)$/);
          else expect(Object.keys(parsed.fields).length).toBeGreaterThan(0);
          expect(Object.values(parsed.values).every((text) => typeof text === 'string')).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('refused values can be shown again and are refused again', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...CALCULATION_FIELDS), fc.string()), (record) => {
        const parsed = parseCalculationForm(record);
        if (!parsed.ok) expect(fieldsOf(parseCalculationForm(parsed.values))).toEqual(parsed.fields);
      }),
    );
  });
});
