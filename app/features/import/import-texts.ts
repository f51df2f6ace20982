import { TYPE_NAMES, type ImportType, type TypeCounts } from '#app/domain/records/type-names.ts';
import { plural } from '#app/domain/text/plural.ts';

const isType = (name: string): name is ImportType => Object.hasOwn(TYPE_NAMES, name);

/** "2 vials, 1 schedule", or null when there is nothing. */
export function countsText(counts: TypeCounts): string | null {
  const parts = Object.entries(counts).flatMap(([type, count]) =>
    isType(type) && count > 0 ? [plural(count, TYPE_NAMES[type].one, TYPE_NAMES[type].many)] : [],
  );
  return parts.length === 0 ? null : parts.join(', ');
}

/** What people call the type that a file names; an unknown one stays as it is. */
export const typeText = (name: string): string => (isType(name) ? TYPE_NAMES[name].one : name);

/** The heading of a type: "Side effects". */
export function typeTitle(type: ImportType): string {
  const { many } = TYPE_NAMES[type];
  return many.charAt(0).toUpperCase() + many.slice(1);
}
