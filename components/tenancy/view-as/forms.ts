import * as z from "zod";
import { fieldsOf } from "@/components/form/fields";
import { putSupportAccess, startView } from "@/server/domains/tenancy/view-as/contract";
import { SUPPORT_PERIODS, VIEW_MINUTES } from "@/server/domains/tenancy/view-as/policy";

/* Rules of the forms here, loaded when somebody fills one in. */

/** A choice is a text in a form. */
export const startForm = {
  body: fieldsOf(startView)
    .pick({ reason: true })
    .extend({ minutes: z.enum(VIEW_MINUTES.map(String) as [string, ...string[]]) }),
};

/** Off is a choice of its own. */
export const accessForm = {
  body: fieldsOf(putSupportAccess)
    .pick({})
    .extend({ until: z.enum(["off", ...SUPPORT_PERIODS]) }),
};
