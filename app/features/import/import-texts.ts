import { isImportType, TYPE_NAMES, type ImportType } from '#app/domain/records/type-names.ts';

/** What people call the type that a file names; an unknown one stays as it is. */
export const typeText = (name: string): string => (isImportType(name) ? TYPE_NAMES[name].one : name);

/** The heading of a type: "Side effects". */
export function typeTitle(type: ImportType): string {
  const { many } = TYPE_NAMES[type];
  return many.charAt(0).toUpperCase() + many.slice(1);
}
