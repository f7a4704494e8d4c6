import { fieldsOf } from "@/components/form/fields";
import { createView, renameView } from "@/server/domains/platform/saved-views/contract";

/* Rules of the forms here, loaded when somebody fills one in. */

export const viewForm = { body: fieldsOf(createView).pick({ name: true }) };
export const renameForm = renameView;
