import type { Connection, Model } from 'mongoose';
import { importedRows, type ImportableRow, type RowToImport } from './imported-rows.server.ts';
import { injectionSiteSchema, type InjectionSiteRow } from './injection-site.model.server.ts';
import { modelOf } from './model-of.server.ts';
import { nutritionRowSchema, type NutritionRow } from './nutrition.model.server.ts';
import { UNEDITED } from './owned-rows.server.ts';
import { sideEffectRowSchema, type SideEffectRow } from './side-effect.model.server.ts';

/** Many rows of what people track at once; those that nobody edited since can be taken back. */
function trackedImport<Row extends ImportableRow>(model: Model<Row>) {
  const rows = importedRows(model, UNEDITED);
  return {
    ...rows,
    async add(importId: string, userId: string, wanted: readonly RowToImport<Row>[]): Promise<void> {
      await rows.add(
        userId,
        wanted.map(({ row, otherId }) => ({ row: { ...row, importId }, otherId })),
      );
    },
  };
}

/** Days of nutrition. A day that has an entry keeps it: both ids of a row are that of its day. */
export const createNutritionImport = (connection: Connection) =>
  trackedImport(modelOf<NutritionRow>(connection, 'Nutrition', nutritionRowSchema));

/** Side effects. */
export const createSideEffectImport = (connection: Connection) =>
  trackedImport(modelOf<SideEffectRow>(connection, 'SideEffect', sideEffectRowSchema));

/** Injections at sites. */
export const createInjectionSiteImport = (connection: Connection) =>
  trackedImport(modelOf<InjectionSiteRow>(connection, 'InjectionSite', injectionSiteSchema));
