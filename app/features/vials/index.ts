export { RemainingForm, SpillForm, DiscardForm, ReconstituteForm } from './amount-forms.tsx';
export { PlanLimitNotice, TemplateLinks, VialForm } from './vial-form.tsx';
export { VialLabel } from './vial-label.tsx';
export { VialList } from './vial-list.tsx';
export { VialSubPage } from './vial-sub-page.tsx';
export { VialView } from './vial-page.tsx';
