export { LotDoses } from './lot-doses.tsx';
export { LotForm } from './lot-form.tsx';
export { LotList } from './lot-list.tsx';
export { LotView } from './lot-page.tsx';
export { MeasuredForm } from './measured-form.tsx';
export { LotSubPage } from './lot-sub-page.tsx';
