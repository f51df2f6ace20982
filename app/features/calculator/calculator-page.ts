import { calculate } from '#app/domain/calculator/calculate.ts';
import type { CalculationResult } from '#app/domain/calculator/types.ts';
import type { FieldErrors } from '#app/domain/errors.ts';
import { dosageRecommendations, type DosageRecommendation } from '#app/domain/calculator/recommendations.ts';
import { parseCalculationForm, type CalculationValues } from '#app/domain/calculator/calculation-schema.ts';
import { pageAddress } from '#app/platform/http/addresses.ts';

/** Everything the calculator shows, read from its address. Serialisable. */
export interface CalculatorPage {
  /** The path of the page itself. */
  path: string;
  /** The form's controls as they were sent. */
  values: CalculationValues;
  result: CalculationResult | null;
  /** Messages by field; there when the address asks for what cannot be computed. */
  errors: FieldErrors | null;
  /** What else the address holds: Calculate must not lose it. */
  keep: Record<string, string>;
  /** Name and notes are shown, and the form ends in "Save Calculation". */
  saveMode: boolean;
  dosages: { shown: boolean; href: string; closeHref: string };
  recommendations: {
    shown: boolean;
    href: string;
    name: string;
    rows: readonly DosageRecommendation[];
    choices: { name: string; href: string }[];
  };
  /** This address without save mode. */
  cancelHref: string;
}

const NUMBER_FIELDS = ['peptideAmount', 'waterVolume', 'desiredDose', 'drawVolume'];
const REFERENCE_NAMES = ['Semaglutide', 'Tirzepatide', 'BPC-157', 'TB-500'];
/** What the reader opened beside the form; it stays open with the next result. */
export const KEPT_FIELDS = ['recommendations', 'reference', 'history'];
const MAX_NAME_LENGTH = 100;

function readRecommendations(path: string, search: URLSearchParams, result: CalculationResult | null) {
  const shown = search.get('recommendations') === '1';
  const name = (search.get('reference') || search.get('peptideName') || '').trim().slice(0, MAX_NAME_LENGTH);
  return {
    shown,
    href: pageAddress(path, search, { recommendations: shown ? null : '1' }),
    name,
    rows: shown && name ? dosageRecommendations(name, result ?? undefined) : [],
    choices: REFERENCE_NAMES.map((choice) => ({
      name: choice,
      href: pageAddress(path, search, { reference: choice }),
    })),
  };
}

/**
 * Reads a calculator from the fields of an address, or of a form that was sent to it. Without any of the number
 * fields an address is the empty form.
 */
export function readCalculatorPage(path: string, search: URLSearchParams, sent = false): CalculatorPage {
  const asked = sent || NUMBER_FIELDS.some((name) => search.has(name));
  const parsed = parseCalculationForm(search);
  const result = asked && parsed.ok ? calculate(parsed.input) : null;
  return {
    path,
    values: parsed.values,
    result,
    errors: asked && !parsed.ok ? parsed.fields : null,
    keep: Object.fromEntries(
      KEPT_FIELDS.flatMap((name) => (search.get(name) ? [[name, search.get(name) ?? '']] : [])),
    ),
    saveMode: search.get('mode') === 'save',
    dosages: {
      shown: search.get('dialog') === 'research-dosages',
      href: pageAddress(path, search, { dialog: 'research-dosages' }),
      closeHref: pageAddress(path, search, { dialog: null }),
    },
    recommendations: readRecommendations(path, search, result),
    cancelHref: pageAddress(path, search, { mode: null }),
  };
}

/** 400 for an address that asks for what cannot be computed, else 200. */
export function calculatorStatus(page: CalculatorPage): number {
  return page.errors ? 400 : 200;
}
