-- CreateEnum
CREATE TYPE "AdminActionKind" AS ENUM ('reset_two_factor');

-- CreateEnum
CREATE TYPE "AdminActionState" AS ENUM ('waiting', 'done', 'cancelled');

-- CreateTable
CREATE TABLE "admin_actions" (
    "id" TEXT NOT NULL,
    "kind" "AdminActionKind" NOT NULL,
    "target_id" INTEGER NOT NULL,
    "requested_by_id" INTEGER,
    "approved_by_id" INTEGER,
    "reason" TEXT NOT NULL,
    "factors" "FactorKind"[],
    "needs_approval" BOOLEAN NOT NULL,
    "run_at" TIMESTAMPTZ(3) NOT NULL,
    "state" "AdminActionState" NOT NULL DEFAULT 'waiting',
    "cancel_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "admin_actions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "admin_actions_cancel_hash_key" ON "admin_actions"("cancel_hash");

-- CreateIndex
CREATE INDEX "admin_actions_target_id_idx" ON "admin_actions"("target_id");

-- CreateIndex
CREATE INDEX "admin_actions_requested_by_id_idx" ON "admin_actions"("requested_by_id");

-- CreateIndex
CREATE INDEX "admin_actions_approved_by_id_idx" ON "admin_actions"("approved_by_id");

-- AddForeignKey
ALTER TABLE "admin_actions" ADD CONSTRAINT "admin_actions_target_id_fkey" FOREIGN KEY ("target_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "admin_actions" ADD CONSTRAINT "admin_actions_requested_by_id_fkey" FOREIGN KEY ("requested_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "admin_actions" ADD CONSTRAINT "admin_actions_approved_by_id_fkey" FOREIGN KEY ("approved_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Nobody approves what they ask for, and neither is done to oneself.
ALTER TABLE "admin_actions"
  ADD CONSTRAINT "admin_actions_approver_check" CHECK ("approved_by_id" <> "requested_by_id" AND "approved_by_id" <> "target_id"),
  ADD CONSTRAINT "admin_actions_requester_check" CHECK ("requested_by_id" <> "target_id");

-- One of a kind waits for an account.
CREATE UNIQUE INDEX "admin_actions_waiting_key" ON "admin_actions"("target_id", "kind") WHERE "state" = 'waiting';
