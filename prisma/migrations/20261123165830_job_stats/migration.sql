-- CreateTable
CREATE TABLE "job_stats" (
    "task" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "runs" INTEGER NOT NULL,
    "failures" INTEGER NOT NULL,
    "ms_sum" BIGINT NOT NULL,
    "ms_max" INTEGER NOT NULL,

    CONSTRAINT "job_stats_pkey" PRIMARY KEY ("task","hour")
);

-- CreateIndex
CREATE INDEX "job_stats_hour_idx" ON "job_stats"("hour");
