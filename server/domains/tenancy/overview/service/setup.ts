import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { createError } from "@/server/core/errors";
import { hasSignedAgreement } from "@/server/domains/accounts/portals/service/access";
import type { getResellerSetup } from "../contract";
import { SETUP_STEPS, type SetupStep } from "../policy";
import { readSetupFacts } from "../statements";

type StepState = Output<typeof getResellerSetup>["steps"][number]["state"];

/** Reads which steps of the set-up are done. Resellers need it before they have signed the agreement. */
export async function readResellerSetup(ctx: Context<UserActor>): Promise<Output<typeof getResellerSetup>> {
  if (ctx.actor.role !== "reseller") throw createError("forbidden");
  const { id } = ctx.actor;
  const isSigned = await hasSignedAgreement(ctx, id);
  const [facts] = await readSetupFacts(ctx, { resellerId: id });
  const states: Record<SetupStep, StepState> = {
    agreement: toState(isSigned),
    brand: toState(facts!.hasBrand),
    portal: toState(facts!.isPortalVerified, facts!.hasPortal),
    mail: toState(facts!.isMailAccountVerified, facts!.hasMailAccount),
    customer: toState(facts!.hasCustomer, facts!.hasInvitation),
  };
  const steps = SETUP_STEPS.map((step) => ({ step, state: states[step] }));
  return { success: true, steps, complete: steps.every(({ state }) => state === "done") };
}

function toState(isDone: boolean, isStarted = false): StepState {
  if (isDone) return "done";
  return isStarted ? "started" : "open";
}
