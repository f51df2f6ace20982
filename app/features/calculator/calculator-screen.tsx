import type { CalculationResult } from '#app/domain/calculator/calculation.ts';
import type { FieldErrors } from '#app/domain/errors.ts';
import type { DosageRecommendation } from '#app/domain/calculator/research-reference.ts';
import { CalculatorLinks } from './calculator-links.tsx';
import type { CalculatorValues, SaveState } from './calculator-state.ts';
import { Calculator } from './calculator.tsx';
import type { Example } from './example.tsx';
import { RecommendationsPanel, type ReferenceChoice } from './recommendations-panel.tsx';
import { ResearchDosagesDialog } from './research-dosages-dialog.tsx';

export interface CalculatorScreenProps {
  /** The page's path: its form is a GET of it. */
  path: string;
  values: CalculatorValues;
  result: CalculationResult | null;
  errors: FieldErrors | null;
  /** What else the address holds and Calculate must keep. */
  keep: Readonly<Record<string, string>>;
  save: SaveState;
  /** Where the result becomes a vial; signed in only. */
  vialHref?: string;
  example?: Example;
  dosages: { shown: boolean; href: string; closeHref: string };
  recommendations: {
    shown: boolean;
    href: string;
    name: string;
    rows: readonly DosageRecommendation[];
    choices: readonly ReferenceChoice[];
  };
}

/** The calculator with its research dosages and recommendations, as the public page and the dashboard show it. */
export function CalculatorScreen({ path, dosages, recommendations, ...calculator }: CalculatorScreenProps) {
  return (
    <>
      <Calculator action={path} {...calculator}>
        <CalculatorLinks
          dosagesHref={dosages.href}
          recommendationsHref={recommendations.href}
          recommendationsShown={recommendations.shown}
        />
      </Calculator>
      {recommendations.shown ? <RecommendationsPanel {...recommendations} /> : null}
      {dosages.shown ? <ResearchDosagesDialog closeHref={dosages.closeHref} /> : null}
    </>
  );
}
