export { RemainingForm, SpillForm, DiscardForm, ReconstituteForm } from './amount-forms.tsx';
export { LadderPlanForm } from './ladder-plan-form.tsx';
export { TemplateLinks, VialForm } from './vial-form.tsx';
export { PlanLimitNotice, VialRoomLine } from './vial-room.tsx';
export { VialLabel } from './vial-label.tsx';
export { VialList } from './vial-list.tsx';
export { VialSubPage } from './vial-sub-page.tsx';
export { VialView } from './vial-page.tsx';
export { StockTabs } from './stock-tabs.tsx';
