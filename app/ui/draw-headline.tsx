import type { NearestMark } from '#app/domain/calculator/calculation.ts';
import { countUnits, drawToText, markErrorText } from '#app/domain/calculator/draw-words.ts';
import { Figure, Measured } from './figure.tsx';

interface Drawn {
  mark: NearestMark;
  /** The exact draw: units of the syringe, and ml. */
  unitsText: string;
  volumeText: string;
}

/** The mark to draw to, as large as the line it stands in. */
export function DrawTo({ mark, className }: Pick<Drawn, 'mark'> & { className?: string }) {
  if (mark.units === 0) return <span className="headline-words">{drawToText(mark)}</span>;
  const unit = countUnits(mark.drawsText, '', mark.noun).split(' ').at(-1);
  const isLong = mark.drawsText.length > 6;
  return (
    <Figure
      value={mark.drawsText}
      unit={unit}
      className={[className, isLong ? 'headline-long' : ''].filter(Boolean).join(' ')}
    />
  );
}

/** "exact 2.4 clicks, 0.120 ml"; what has no volume, or only that, is said once. */
function exactText({ noun }: NearestMark, unitsText: string, volumeText: string): string {
  const exact = `exact ${countUnits(unitsText, '', noun)}`;
  return noun === 'capsule' || noun === 'ml' ? exact : `${exact}, ${volumeText} ml`;
}

/** Small print beside a mark that is not the exact draw: what that would be, and what the mark delivers. */
export function ExactDraw({ mark, unitsText, volumeText }: Drawn) {
  const error = markErrorText(mark);
  return (
    <span className="headline-exact">
      <span>
        <Measured text={exactText(mark, unitsText, volumeText)} />
      </span>
      {error === null ? null : (
        <span className={mark.exceedsFivePercent ? 'headline-error' : undefined}>
          <Measured text={`delivers ${mark.deliveredDoseWithUnit}, ${error}`} />
        </span>
      )}
    </span>
  );
}

/** What to draw: the nearest mark, which a hand can draw to, largest, and the exact draw beside it. */
export function DrawHeadline(drawn: Drawn) {
  const { mark, volumeText } = drawn;
  return (
    <p className="headline">
      <DrawTo mark={mark} />
      {mark.isExact && (mark.noun === 'ml' || mark.noun === 'capsule') ? null : mark.isExact ? (
        <Figure value={volumeText} unit="ml" className="headline-second" />
      ) : (
        <ExactDraw {...drawn} />
      )}
    </p>
  );
}
