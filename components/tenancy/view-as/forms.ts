import * as z from "zod";
import { fieldsOf } from "@/components/form/fields";
import { putSupportAccess, startView } from "@/server/domains/tenancy/view-as/contract";
import { SUPPORT_PERIODS, VIEW_MINUTES } from "@/server/domains/tenancy/view-as/policy";

/* Form rules, loaded on first use. */

/** A select has text values. */
export const startForm = {
  body: fieldsOf(startView)
    .pick({ reason: true })
    .extend({ minutes: z.enum(VIEW_MINUTES.map(String) as [string, ...string[]]) }),
};

/** `off` stands for no permission. */
export const accessForm = {
  body: fieldsOf(putSupportAccess)
    .pick({})
    .extend({ until: z.enum(["off", ...SUPPORT_PERIODS]) }),
};
