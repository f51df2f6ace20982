import fc from 'fast-check';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import {
  type CalculationInput,
  type Component,
  DEFAULT_SYRINGE,
  SYRINGE_IDS,
  SYRINGES,
  type OwnSyringe,
  type SyringeId,
} from '#app/domain/calculator/calculation.ts';

/** Formats units of 10^−decimals as decimal text. */
export function decimalFromUnits(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0');
  const at = digits.length - decimals;
  return decimals === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`;
}

/** Decimal text above 0 and at most `most`, with up to 12 decimals. */
export function decimalUpTo(most: number): fc.Arbitrary<string> {
  return fc
    .integer({ min: 0, max: 12 })
    .chain((decimals) =>
      fc
        .bigInt({ min: 1n, max: BigInt(most) * 10n ** BigInt(decimals) })
        .map((units) => decimalFromUnits(units, decimals)),
    );
}

export const amountText = decimalUpTo(100);
export const waterText = decimalUpTo(10);

/** A dose in mg above 0 and at most the amount, with up to 6 decimals more than the amount has. */
export function doseUpTo(amount: string): fc.Arbitrary<string> {
  const [, fraction = ''] = amount.split('.');
  return fc.integer({ min: 0, max: 6 }).chain((more) => {
    const decimals = fraction.length + more;
    const most = BigInt(amount.replace('.', '')) * 10n ** BigInt(more);
    return fc.bigInt({ min: 1n, max: most }).map((units) => decimalFromUnits(units, decimals));
  });
}

export const syringeId: fc.Arbitrary<SyringeId> = fc.constantFrom(...SYRINGE_IDS);

/** A person's own syringe: a whole number of marks in a barrel of some ml, with numbers of any meaning. */
export const ownSyringe: fc.Arbitrary<OwnSyringe> = fc
  .record({
    marks: fc.integer({ min: 1, max: 500 }),
    /** In hundredths of its numbers. */
    mark: fc.integer({ min: 1, max: 300 }),
    unitsPerMl: fc.constantFrom(null, '1', '2.5', '20', '40', '80', '100', '500', '1000'),
  })
  .map(({ marks, mark, unitsPerMl }) => {
    // The barrel in thousandths of a ml: marks × mark ÷ units per ml.
    const perMl = Math.round(Number(unitsPerMl ?? 1) * 10);
    const thousandths = (marks * mark * 100) / perMl;
    const id = `own:${marks}${mark}${perMl}`;
    return { id, name: 'Blue', barrelMl: String(thousandths / 1000), unitsPerMl, mark: String(mark / 100) };
  })
  .filter(({ barrelMl }) => /^\d+(?:\.\d{1,3})?$/.test(barrelMl) && Number(barrelMl) <= 60);

/** A valid calculation that solves for the volume, without displacement, on the usual syringe. */
export function volumeInput(
  peptideAmount: string,
  waterVolume: string,
  desiredDose: string,
  more: Partial<CalculationInput> = {},
): CalculationInput {
  return {
    solveFor: 'volume',
    peptideAmount,
    waterVolume,
    desiredDose,
    desiredDoseUnit: 'mg',
    syringe: DEFAULT_SYRINGE,
    displacement: '0',
    ...more,
  };
}

/** Any valid calculation that solves for the volume, with any syringe, mark and displacement. */
export const anyVolumeInput: fc.Arbitrary<CalculationInput> = amountText.chain((amount) =>
  fc
    .record({
      water: waterText,
      dose: doseUpTo(amount),
      displacement: fc.constantFrom('0', '0.7', '1', '12.5', '1000'),
      syringe: syringeId,
      nthMark: fc.nat(1),
    })
    .map(({ water, dose, displacement, syringe, nthMark }) => {
      const { marks } = SYRINGES[syringe];
      return volumeInput(amount, water, dose, { displacement, syringe, mark: marks[nthMark] ?? marks[0] });
    }),
);

const BLEND_NAMES = ['BPC-157', 'TB-500', 'GHK-Cu', 'KPV', 'CJC-1295', 'ipamorelin', 'a:b', 'Ω-3'];

/** Any valid blend, of two to six components, that solves for the volume. */
export const anyBlend: fc.Arbitrary<CalculationInput & { components: readonly Component[]; doseOf: string }> =
  fc
    .shuffledSubarray(BLEND_NAMES, { minLength: 2, maxLength: 6 })
    .chain((names) =>
      fc.record({
        names: fc.constant(names),
        amounts: fc.array(amountText, { minLength: names.length, maxLength: names.length }),
        dosed: fc.nat(names.length - 1),
      }),
    )
    .chain(({ names, amounts, dosed }) =>
      fc
        .record({
          water: waterText,
          dose: doseUpTo(amounts[dosed] ?? '1'),
          displacement: fc.constantFrom('0', '0.7', '12.5'),
          syringe: syringeId,
        })
        .map(({ water, dose, displacement, syringe }) => ({
          solveFor: 'volume' as const,
          peptideAmount: amounts[dosed] ?? '',
          components: names.map((name, at) => ({ name, amount: amounts[at] ?? '' })),
          doseOf: names[dosed] ?? '',
          waterVolume: water,
          desiredDose: dose,
          desiredDoseUnit: 'mg' as const,
          syringe,
          displacement,
        })),
    );

/** The fields of any container other than powder in mg, as a form sends them; the dose fits. */
export const anyContainer: fc.Arbitrary<Readonly<Record<string, string>>> = fc
  .record({
    form: fc.constantFrom('powder', 'solution', 'pen', 'spray', 'capsule'),
    amountUnit: fc.constantFrom('mg', 'IU'),
    strength: decimalUpTo(50),
    volume: waterText,
    share: fc.integer({ min: 1, max: 100 }),
    step: fc.constantFrom('0.01', '0.05', '0.1', '0.03'),
    syringe: syringeId,
    vials: fc.constantFrom('1', '2', '20'),
  })
  .filter(({ form, amountUnit }) => form !== 'powder' || amountUnit === 'IU')
  .map(({ form, amountUnit, strength, volume, share, step, syringe, vials }) => {
    const isPowder = form === 'powder';
    const holds =
      isPowder || form === 'capsule' ? new Decimal(strength) : new Decimal(strength).times(volume);
    const dose = holds.times(share).times('0.01');
    const content: Record<string, string> =
      form === 'capsule'
        ? { peptideAmount: strength, pieces: '60' }
        : isPowder
          ? { peptideAmount: strength, waterVolume: volume }
          : { concentration: strength, containerVolume: volume };
    const hand: Record<string, string> =
      form === 'pen' ? { clickMl: step } : form === 'spray' ? { sprayMl: step } : {};
    const drawn: Record<string, string> = isPowder
      ? { syringe, vials }
      : form === 'solution'
        ? { syringe }
        : {};
    return {
      form,
      amountUnit,
      ...content,
      ...hand,
      ...drawn,
      desiredDose: dose.toFixed(),
      desiredDoseUnit: amountUnit,
    };
  });
