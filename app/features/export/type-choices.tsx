import type { ExportType } from '#app/domain/export/export-schema.ts';
import { FieldError, errorId } from '#app/ui/field-shell.tsx';
import { TYPE_CHOICES } from './export-types.ts';

interface TypeChoicesProps {
  chosen: readonly ExportType[];
  premium: boolean;
  error?: string;
}

/** What goes into the file. Locked types say so and stay off. */
export function TypeChoices({ chosen, premium, error }: TypeChoicesProps) {
  return (
    <fieldset aria-describedby={error ? errorId('types') : undefined}>
      <legend className="mb-1 font-semibold">Data types</legend>
      <div className="grid sm:grid-cols-2">
        {TYPE_CHOICES.map((choice) => {
          const locked = choice.premium && !premium;
          return (
            <label key={choice.value} className="choice">
              <input
                type="checkbox"
                name="types"
                value={choice.value}
                defaultChecked={!locked && chosen.includes(choice.value)}
                disabled={locked}
              />
              {locked ? `${choice.label} (Pro)` : choice.label}
            </label>
          );
        })}
      </div>
      {error ? <FieldError id="types" error={error} /> : null}
    </fieldset>
  );
}
