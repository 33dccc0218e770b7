import { serveJobs } from "../../pool/job-worker.ts";
import { type AnalysisJob, type AnalysisResult, type AnalysisSpec, createAnalyzer } from "./analysis.ts";

/** The worker process that analyzes recordings of speakers. */
serveJobs<AnalysisSpec, AnalysisJob, AnalysisResult>(5, createAnalyzer);
