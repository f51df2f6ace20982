import { describe, expect, it } from 'vitest';
import { HALF_LIVES } from '#app/domain/analytics/half-lives.ts';
import { SYRINGE_IDS } from '#app/domain/calculator/calculation.ts';
import { COMMON_BLENDS } from '#app/domain/calculator/common-blends.ts';
import { DOSAGE_HINTS } from '#app/domain/calculator/research-reference.ts';
import { RESEARCH_TABLE } from '#app/domain/calculator/research-table.ts';
import { BUILT_IN_TEMPLATES } from '#app/domain/schedules/schedule-templates.ts';
import { BUILT_IN_FIGURES } from '#app/domain/site/built-in-figures.ts';

const figures = BUILT_IN_FIGURES.flatMap((group) =>
  group.figures.map((figure) => ({ ...figure, of: group.id })),
);

describe('built-in figures', () => {
  it.each(figures.map((figure) => [`${figure.of}: ${figure.name}`, figure] as const))(
    '%s has a source with section and date',
    (_, { figure, source }) => {
      expect(figure).toMatch(/\d/);
      for (const text of [source.title, source.section, source.date, source.finding])
        expect(text.trim()).not.toBe('');
      expect(source.date).toMatch(/\b(19|20)\d\d\b/);
    },
  );

  it('include every group, each from its own data', () => {
    const count = Object.fromEntries(BUILT_IN_FIGURES.map((group) => [group.id, group.figures.length]));
    expect(count).toMatchObject({
      'half-lives': HALF_LIVES.length,
      peaks: HALF_LIVES.filter(({ peak }) => peak !== null).length,
      hints: DOSAGE_HINTS.length,
      'research-table': RESEARCH_TABLE.length,
      blends: COMMON_BLENDS.length,
      templates: BUILT_IN_TEMPLATES.length,
      syringes: SYRINGE_IDS.length,
    });
  });

  it('are marked if no publication confirms them', () => {
    const isMarked = (expected: string) =>
      figures.find(({ of, name }) => `${of}: ${name}` === expected)?.source.isConfirmed === false;
    expect(isMarked('half-lives: BPC-157')).toBe(true);
    expect(isMarked('hints: TB-500, starter')).toBe(true);
    expect(isMarked('half-lives: Semaglutide')).toBe(false);
    expect(isMarked('peaks: Tesamorelin')).toBe(false);
  });
});
