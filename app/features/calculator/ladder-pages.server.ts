import {
  DEFAULT_CAPACITY_ML,
  MAX_LADDER_DOSES,
  parseLadderForm,
  type LadderValues,
} from '#app/domain/calculator/ladder-schema.ts';
import {
  findLadder,
  ladderErrorText,
  ladderSentence,
  type LadderChoice,
  type LadderInput,
} from '#app/domain/calculator/ladder.ts';
import {
  DEFAULT_SYRINGE,
  DOSE_UNITS,
  SUBSTANCE_UNITS,
  syringeIdOf,
  syringeOptions,
  type OwnSyringe,
} from '#app/domain/calculator/calculation.ts';
import { drawToText } from '#app/domain/calculator/draw-words.ts';
import type { FieldErrors } from '#app/domain/errors.ts';
import { pageAddress } from '#app/platform/http/addresses.ts';

/** One dose of an amount of water, as text. */
export interface LadderRow {
  key: string;
  dose: string;
  draw: string;
  volume: string;
  /** How near the mark is: "exact", "0.5% less". */
  off: string;
}

/** An amount of water, as text. */
interface ShownChoice {
  water: string;
  rows: LadderRow[];
  /** The calculator with this water and the first dose. */
  useHref: string;
  /** The form that makes this the plan; null for visitors. */
  planHref: string | null;
}

interface Option {
  value: string;
  label: string;
}

const OPTIONS = {
  amountUnits: SUBSTANCE_UNITS.map((unit) => ({ value: unit, label: unit })),
  doseUnits: DOSE_UNITS.map((unit) => ({ value: unit, label: unit })),
};

/** What the page for the water of several doses shows. */
export interface LadderView {
  /** The page's own path, and that of its calculator. */
  path: string;
  calculatorHref: string;
  /** What the form shows, with room for every dose. */
  values: LadderValues;
  options: { amountUnits: Option[]; doseUnits: Option[]; syringes: Option[] };
  /** Messages by the `id` of the control. */
  errors: FieldErrors;
  /** Null before any dose was entered, and for values that are not valid. */
  answer: { sentence: string; exact: boolean; choices: ShownChoice[] } | null;
}

/** 400 for a URL with values that are not valid, otherwise 200. */
export const ladderStatus = ({ errors }: LadderView): number => (Object.keys(errors).length > 0 ? 400 : 200);

/** Where the doses of a ladder become a plan. */
const PLAN_PATH = '/dashboard/calculator/plan';

function shownChoice(choice: LadderChoice, input: LadderInput, page: LadderPlace): ShownChoice {
  const { capacityMl: _capacity, doses, syringe, ...shared } = input;
  const fields = { ...shared, syringe: syringeIdOf(syringe), waterVolume: choice.waterVolumeText };
  const plan = new URLSearchParams([...Object.entries(fields), ...doses.map((dose) => ['dose', dose])]);
  return {
    water: choice.waterVolumeText,
    rows: choice.doses.map((dose, at) => ({
      key: String(at),
      dose: dose.doseText,
      draw: drawToText(dose.mark),
      volume: `${dose.volumeText} ml`,
      off: ladderErrorText(dose),
    })),
    useHref: pageAddress(page.calculatorHref, new URLSearchParams(fields), {
      desiredDose: doses[0] ?? null,
    }),
    // Vials hold mg.
    planHref: page.signedIn ? `${PLAN_PATH}?${plan.toString()}` : null,
  };
}

interface LadderPlace {
  /** The calculator that the page belongs to. */
  calculatorHref: string;
  signedIn: boolean;
  /** The person's own. */
  syringes: readonly OwnSyringe[];
}

/** Reads the page from its URL. A URL without a dose is the form, which may have other fields filled in. */
export function readLadderPage(search: URLSearchParams, place: LadderPlace): LadderView {
  const parsed = parseLadderForm(search, place.syringes);
  const hasRequest = search.has('dose');
  const ladder = hasRequest && parsed.ok ? findLadder(parsed.input) : null;
  return {
    path: ladderPath(place.calculatorHref),
    calculatorHref: place.calculatorHref,
    values: {
      ...parsed.values,
      syringe: parsed.values.syringe ?? DEFAULT_SYRINGE,
      capacityMl: parsed.values.capacityMl ?? DEFAULT_CAPACITY_ML,
      doses: Array.from({ length: MAX_LADDER_DOSES }, (_, at) => parsed.values.doses[at] ?? ''),
    },
    options: { ...OPTIONS, syringes: syringeOptions(place.syringes) },
    errors: hasRequest && !parsed.ok ? parsed.fields : {},
    answer:
      ladder && parsed.ok
        ? {
            sentence: ladderSentence(ladder),
            exact: ladder.exact,
            choices: ladder.choices.map((choice) => shownChoice(choice, parsed.input, place)),
          }
        : null,
  };
}

/** The ladder's page of a calculator. */
export const ladderPath = (calculatorPath: string): string => `${calculatorPath}/ladder`;

/** Where a calculator's address leads that asks for the water of several doses; null for any other. */
export function ladderAddress(calculatorPath: string, search: URLSearchParams): string | null {
  return search.get('solveFor') === 'ladder' ? pageAddress(ladderPath(calculatorPath), search) : null;
}
