/** A published example of a blend, with everything that must be shown for it. */
export interface BlendVector {
  readonly components: readonly { readonly name: string; readonly amount: string }[];
  /** ml of water. */
  readonly water: string;
  readonly doseOf: string;
  readonly dose: string;
  readonly doseUnit: 'mg' | 'mcg';
  /** For each component, in mg/ml. */
  readonly concentrations: readonly string[];
  readonly volume: string;
  readonly units: string;
  /** For each component, with its unit, and in mg. */
  readonly doses: readonly string[];
  readonly dosesMg: readonly number[];
}

/** Examples of blends that page, URL, API and terminal must agree on. Calculated by hand from the product's reference data. */
export const BLEND_VECTORS: readonly BlendVector[] = [
  {
    components: [
      { name: 'BPC-157', amount: '5' },
      { name: 'TB-500', amount: '5' },
    ],
    water: '2',
    doseOf: 'BPC-157',
    dose: '250',
    doseUnit: 'mcg',
    concentrations: ['2.50', '2.50'],
    volume: '0.100',
    units: '10',
    doses: ['250 mcg', '250 mcg'],
    dosesMg: [0.25, 0.25],
  },
  {
    components: [
      { name: 'GHK-Cu', amount: '50' },
      { name: 'BPC-157', amount: '10' },
      { name: 'TB-500', amount: '10' },
    ],
    water: '3',
    doseOf: 'GHK-Cu',
    dose: '2',
    doseUnit: 'mg',
    concentrations: ['16.67', '3.33', '3.33'],
    volume: '0.120',
    units: '12',
    doses: ['2 mg', '400 mcg', '400 mcg'],
    dosesMg: [2, 0.4, 0.4],
  },
  {
    components: [
      { name: 'CJC-1295', amount: '5' },
      { name: 'ipamorelin', amount: '5' },
    ],
    water: '3',
    doseOf: 'ipamorelin',
    dose: '0.1',
    doseUnit: 'mg',
    concentrations: ['1.67', '1.67'],
    volume: '0.060',
    units: '6',
    doses: ['100 mcg', '100 mcg'],
    dosesMg: [0.1, 0.1],
  },
];

/** A blend as in an address or a form. */
export function blendQuery({ components, water, dose, doseUnit, doseOf }: BlendVector): URLSearchParams {
  const query = new URLSearchParams();
  for (const { name, amount } of components) {
    query.append('componentName', name);
    query.append('componentAmount', amount);
  }
  for (const [name, value] of Object.entries({
    doseOf,
    waterVolume: water,
    desiredDose: dose,
    desiredDoseUnit: doseUnit,
  }))
    query.append(name, value);
  return query;
}
