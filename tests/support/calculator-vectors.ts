/** A published example of the calculator, with everything that must be shown for it. */
export interface CalculatorVector {
  readonly name: string;
  /** mg in the vial, ml of water, and the dose as typed with its unit. */
  readonly amount: string;
  readonly water: string;
  readonly dose: string;
  readonly doseUnit: 'mg' | 'mcg';
  readonly doseMg: number;
  readonly concentration: number;
  readonly concentrationText: string;
  readonly injectionVolume: number;
  readonly injectionVolumeText: string;
  /** On the 1 ml U-100 syringe. */
  readonly unitsText: string;
  readonly nearestMark: number;
  readonly draws: number;
  readonly warnings: readonly string[];
  /** The line to copy, without a name. */
  readonly summary: string;
}

/**
 * The examples that page, URL, API and command line must agree on to the last digit.
 * Calculated by hand from the product's reference data; the doubles are those nearest to the exact quotients.
 */
export const CALCULATOR_VECTORS: readonly CalculatorVector[] = [
  {
    name: 'a microgram dose',
    amount: '5',
    water: '2',
    dose: '250',
    doseUnit: 'mcg',
    doseMg: 0.25,
    concentration: 2.5,
    concentrationText: '2.50',
    injectionVolume: 0.1,
    injectionVolumeText: '0.100',
    unitsText: '10',
    nearestMark: 10,
    draws: 1,
    warnings: [],
    summary: '5 mg + 2 ml = 2.50 mg/ml; 0.25 mg = 0.100 ml (10 units)',
  },
  {
    name: 'a full barrel',
    amount: '10',
    water: '5',
    dose: '2',
    doseUnit: 'mg',
    doseMg: 2,
    concentration: 2,
    concentrationText: '2.00',
    injectionVolume: 1,
    injectionVolumeText: '1.000',
    unitsText: '100',
    nearestMark: 100,
    draws: 1,
    warnings: [],
    summary: '10 mg + 5 ml = 2.00 mg/ml; 2 mg = 1.000 ml (100 units)',
  },
  {
    name: 'a quotient without an end',
    amount: '5',
    water: '3',
    dose: '0.333',
    doseUnit: 'mg',
    doseMg: 0.333,
    concentration: 5 / 3,
    concentrationText: '1.67',
    injectionVolume: 0.1998,
    injectionVolumeText: '0.200',
    unitsText: '19.98',
    nearestMark: 20,
    draws: 1,
    warnings: [],
    summary: '5 mg + 3 ml = 1.67 mg/ml; 0.333 mg = 0.200 ml (19.98 units)',
  },
  {
    name: 'a tie that binary floating point rounds the wrong way',
    amount: '2.01',
    water: '2',
    dose: '0.1',
    doseUnit: 'mg',
    doseMg: 0.1,
    concentration: 1.005,
    concentrationText: '1.01',
    injectionVolume: 20 / 201,
    injectionVolumeText: '0.100',
    unitsText: '9.95',
    nearestMark: 10,
    draws: 1,
    warnings: ['SMALL_VOLUME'],
    summary: '2.01 mg + 2 ml = 1.01 mg/ml; 0.1 mg = 0.100 ml (9.95 units)',
  },
  {
    name: 'a draw between two marks',
    amount: '100',
    water: '0.5',
    dose: '2.5',
    doseUnit: 'mg',
    doseMg: 2.5,
    concentration: 200,
    concentrationText: '200.00',
    injectionVolume: 0.0125,
    injectionVolumeText: '0.013',
    unitsText: '1.25',
    nearestMark: 1,
    draws: 1,
    warnings: ['SMALL_VOLUME', 'HIGH_CONCENTRATION', 'MARK_ERROR'],
    summary: '100 mg + 0.5 ml = 200.00 mg/ml; 2.5 mg = 0.013 ml (1.25 units)',
  },
  {
    name: 'five draws of one barrel',
    amount: '0.1',
    water: '10',
    dose: '0.05',
    doseUnit: 'mg',
    doseMg: 0.05,
    concentration: 0.01,
    concentrationText: '0.01',
    injectionVolume: 5,
    injectionVolumeText: '5.000',
    unitsText: '500',
    nearestMark: 500,
    draws: 5,
    warnings: ['LARGE_VOLUME', 'SEVERAL_DRAWS'],
    summary: '0.1 mg + 10 ml = 0.01 mg/ml; 0.05 mg = 5.000 ml (500 units)',
  },
];
