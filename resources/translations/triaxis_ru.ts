<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ru_RU" sourcelanguage="en">
<context>
    <name>CalibrateQuestion</name>
    <message>
        <source>A calibration is running already (%1). Wait until it has ended, or stop it where it was started.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message>
        <source>Timeline of the step that stands for the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss by step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step time by step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bubble by stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak memory of every rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak memory by rank and category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Communication, rank to rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured and predicted step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps: loss, gradient norm, time, tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ranks: coordinates and places</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the step goes, by stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Communication by pair of ranks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prediction of the run and its error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prediction errors by kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prediction errors by rank</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>triaxis::ui::DaysDialog</name>
    <message>
        <source>From</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Until</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs started between two days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>triaxis::ui::ExportDialog</name>
    <message>
        <source>HTML page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A4, landscape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Letter, landscape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export goes on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled; nothing was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exporting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>triaxis::ui::FilterBar</name>
    <message>
        <source>Search label, tags, notes, model, layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search the history</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only runs in these states</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only measured, paced or imported runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only runs of these models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only runs in these layouts, or of these sizes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only runs with these schedules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only runs with all of these tags</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only runs of these days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only runs with a star</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pipeline parallel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No tags yet: add one in the details of a run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take this filter away: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear all</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>triaxis::ui::HistoryActions</name>
    <message>
        <source>H&amp;istory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lay the %1 selected runs side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select several runs with Ctrl or Shift, then compare them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the star away</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a star</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the run after its step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redo: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Watch this run as it goes on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open this run</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>triaxis::ui::HistoryJobs</name>
    <message>
        <source>Another run has its id; it became %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is here already; nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was in the trash; it was restored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 of %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 exported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 imported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing new was imported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 pruned, %2 freed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps, losses, memory and one step of each timeline are still there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run directories are read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The history was made anew from %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>triaxis::ui::HistoryList</name>
    <message>
        <source>Go to Plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import a bundle…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear search and filters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to all runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 · %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No run matches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No run within these filters has “%1” in its label, tags, notes, model, layout or schedule.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing in labels, tags, notes, models, layouts and schedules contains “%1”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No run meets all of these filters. Take one of them away.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The trash is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deleted runs lie here until they are deleted for good.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No runs yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every run is kept here with its settings, losses and timelines, also those from the command line. Bundles that others hand on can be dropped here.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>triaxis::ui::HistoryModel</name>
    <message>
        <source>%1 · %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>today %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yesterday %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>paced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>imported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured by this machine, as fast as it goes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Real work in the time slots of another device and link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Imported from a bundle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>since %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>until %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At any time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Today</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the last 7 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the last 30 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This year</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Between two days…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>★ starred</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>data %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensor %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pipeline %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the star away</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give it a star: it is easy to find, and never pruned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starred</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no star</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, tags: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens / s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deleted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Star</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click to sort by star</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click to sort</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>triaxis::ui::HistoryPage</name>
    <message>
        <source>All runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to all runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export bundle…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export report…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export trace…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete for good…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Empty the trash…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One HTML file with settings, figures, timeline and method</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chrome trace JSON, opens in ui.perfetto.dev</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask the ranks to end after their step; what they have measured is kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One file with all of a run, for another machine or a colleague</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exported %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading the runs …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>History</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The history is made anew …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All run directories are read; runs and notes stay as they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 moved to the trash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 restored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 deleted for good</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 are free again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run cannot be stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete %1 for good?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Their records, losses, timelines and notes are gone then; nothing brings them back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HTML page (*.html);;Figures (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exporting %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export bundle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bundle of a run (*.triaxis-run)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export %1 into a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import bundles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bundles of runs (*.triaxis-run);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something else is under way</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait for its end, then import again.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>triaxis::ui::HistoryTable</name>
    <message>
        <source>Stored runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns of the stored runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Star</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>triaxis::ui::LaneView</name>
    <message>
        <source>Spans appear when the first step is done</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>triaxis::ui::PlanFiles</name>
    <message>
        <source>The window ended before it was saved. Save it with Ctrl+S.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other unsaved plans: %1. Each comes back when Triaxis is started once more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is as you left it</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>triaxis::ui::PlanPage</name>
    <message>
        <source>This machine is being measured</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>triaxis::ui::PredictedStepPanel</name>
    <message>
        <source>one pipeline stands for all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · critical path %1, %2 of it compute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the calibration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calibrate…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The step is predicted once what is listed under &quot;What to look at&quot; is mended</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>triaxis::ui::PruneDialog</name>
    <message>
        <source> days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> MiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Also runs with a star</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free room</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spans of timelines take most of the room. Pruning drops those of old runs, all but one step of each; steps, losses, memory, log and notes stay. It cannot be undone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the newest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only older than</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only where it frees more than</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs that would be pruned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Would free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prune</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to prune</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 would free %2 of %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>are among the newest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>are not over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>have a star</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>are not old enough</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>would free too little</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>have no spans to drop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left whole: %1.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>triaxis::ui::RunDetails</name>
    <message>
        <source>Details of the selected runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tags</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What this run was for, what it showed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 – in the trash: restore it to change what is noted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select one run to label it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No run is selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the star away (S)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a star (S)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reason</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, of which %2 are spans that can be dropped</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>triaxis::ui::RunEdits</name>
    <message>
        <source>%1 (and %2 more like it)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a star</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take a star away</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add tag “%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take tag “%1” away</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>triaxis::ui::SettingsPopup</name>
    <message>
        <source>From the next start on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>triaxis::ui::TagEditor</name>
    <message>
        <source>Add a tag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>#%1 (some)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the tag %1 away from those that have it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the tag %1 away</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
