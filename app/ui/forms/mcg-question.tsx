import type { MouseEventHandler } from 'react';
import { MEANT_UNIT, questionIn } from '#app/domain/units/meant-mcg.ts';
import { Button } from '#app/ui/button.tsx';

interface McgQuestionProps {
  /** The messages of the amount. */
  errors: readonly string[] | null | undefined;
  /** Changes the amount without asking the server, such as `changeToMcg`. */
  onClick?: MouseEventHandler<HTMLButtonElement>;
}

/**
 * Asks about a dose that is too large in mg but usual in mcg, with a button that changes it to mcg; nothing is saved.
 * Without scripts the button sends the form, and `takeMeantUnit` changes it on the server.
 */
export function McgQuestion({ errors, onClick }: McgQuestionProps) {
  const question = questionIn(errors);
  if (question === undefined) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-3 pt-1 text-sm">
      {question}
      <Button name={MEANT_UNIT} value="mcg" className="text-sm" onClick={onClick}>
        Use mcg
      </Button>
    </p>
  );
}
