import type { Connection } from 'mongoose';
import { guardRepository } from './database-errors.server.ts';
import { createFileRoom, type FileRoom } from './storage-quota.server.ts';
import { createFileStore, type FileStore } from './file-store.server.ts';
import { createInjectionSiteRepository } from './injection-site.server.ts';
import { createMeasurementRepository } from './measurement.server.ts';
import { createNutritionRepository } from './nutrition.server.ts';
import { createSideEffectRepository } from './side-effect.server.ts';
import { createTrackingChoiceRepository } from './tracking-choice.server.ts';

/** What people track about themselves. */
export interface TrackingRepositories {
  injectionSites: ReturnType<typeof createInjectionSiteRepository>;
  measurements: ReturnType<typeof createMeasurementRepository>;
  nutrition: ReturnType<typeof createNutritionRepository>;
  pictures: FileStore;
  pictureRoom: FileRoom;
  sideEffects: ReturnType<typeof createSideEffectRepository>;
  trackingChoices: ReturnType<typeof createTrackingChoiceRepository>;
}

/** The repositories of what people track. */
export function trackingRepositories(connection: Connection): TrackingRepositories {
  return {
    injectionSites: guardRepository(createInjectionSiteRepository(connection)),
    measurements: guardRepository(createMeasurementRepository(connection)),
    nutrition: guardRepository(createNutritionRepository(connection)),
    pictures: guardRepository(createFileStore(connection, 'pictures')),
    pictureRoom: guardRepository(createFileRoom(connection, 'picture_room')),
    sideEffects: guardRepository(createSideEffectRepository(connection)),
    trackingChoices: guardRepository(createTrackingChoiceRepository(connection)),
  };
}
