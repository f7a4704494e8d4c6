import * as z from "zod";
import { fieldsOf } from "@/components/form/fields";
import { putSupportAccess, startView } from "@/server/domains/tenancy/view-as/contract";
import { SUPPORT_PERIODS, VIEW_MINUTES } from "@/server/domains/tenancy/view-as/policy";

export const startForm = {
  body: fieldsOf(startView)
    .pick({ reason: true })
    .extend({ minutes: z.enum(VIEW_MINUTES.map(String) as [string, ...string[]]) }),
};

export const accessForm = {
  body: fieldsOf(putSupportAccess)
    .pick({})
    .extend({ until: z.enum(["off", ...SUPPORT_PERIODS]) }),
};
