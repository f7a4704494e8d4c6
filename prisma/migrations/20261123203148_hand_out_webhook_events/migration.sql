-- AlterTable
ALTER TABLE "webhook_events" ADD COLUMN     "fanned_at" TIMESTAMPTZ(3);

-- Those whose deliveries the release before has made; the latest may still wait for it.
UPDATE "webhook_events" v SET "fanned_at" = "created_at"
 WHERE "created_at" < now() - interval '1 hour'
    OR EXISTS (SELECT FROM "webhook_deliveries" d WHERE d."event_id" = v."id");

-- Whoever hands out looks for what waits.
CREATE INDEX "webhook_events_waiting_idx" ON "webhook_events"("created_at", "id") WHERE "fanned_at" IS NULL;
