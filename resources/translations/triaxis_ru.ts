<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ru_RU" sourcelanguage="en">
<context>
    <name>CalibrateQuestion</name>
    <message>
        <source>A calibration is running already (%1). Wait until it has ended, or stop it where it was started.</source>
        <translation>Калибровка уже идёт (%1). Дождитесь её конца или остановите там, где её начали.</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>infinite</source>
        <translation>бесконечно</translation>
    </message>
    <message>
        <source>plan of a run</source>
        <translation>план запуска</translation>
    </message>
    <message>
        <source>data parallel size %1</source>
        <translation>размер оси данных %1</translation>
    </message>
    <message>
        <source>tensor parallel size %1</source>
        <translation>размер тензорной оси %1</translation>
    </message>
    <message>
        <source>pipeline parallel size %1</source>
        <translation>размер конвейера %1</translation>
    </message>
    <message>
        <source>layout %1 × %2 × %3</source>
        <translation>раскладка %1 × %2 × %3</translation>
    </message>
    <message>
        <source>data</source>
        <translation>данные</translation>
    </message>
    <message>
        <source>label</source>
        <translation>название</translation>
    </message>
    <message>
        <source>layers per stage</source>
        <translation>слои по стадиям</translation>
    </message>
    <message>
        <source>model</source>
        <translation>модель</translation>
    </message>
    <message>
        <source>rank order</source>
        <translation>порядок рангов</translation>
    </message>
    <message>
        <source>schedule</source>
        <translation>расписание</translation>
    </message>
    <message>
        <source>chunks a stage</source>
        <translation>чанков на стадию</translation>
    </message>
    <message>
        <source>ranks %1 and %2 swapped</source>
        <translation>ранги %1 и %2 поменялись местами</translation>
    </message>
    <message>
        <source>Over: %1</source>
        <translation>Охват: %1</translation>
    </message>
    <message>
        <source>
Middle half: %1 to %2</source>
        <translation>
Средняя половина: от %1 до %2</translation>
    </message>
    <message>
        <source>
≈: the middle halves overlap, the steps vary by more than the change</source>
        <translation>
≈: средние половины перекрываются, шаги разнятся сильнее, чем изменение</translation>
    </message>
    <message>
        <source>%1: losses need not agree, the runs differ in: %2.</source>
        <translation>%1: потери не обязаны совпадать, запуски различаются: %2.</translation>
    </message>
    <message>
        <source>%1: no step in common.</source>
        <translation>%1: общих шагов нет.</translation>
    </message>
    <message>
        <source>%1: the same training. Over %2 losses differ by at most %3 (step %4; rounding explains %5): %6.</source>
        <translation>%1: то же обучение. За %2 потери расходятся не более чем на %3 (шаг %4; округлением объясняется %5): %6.</translation>
    </message>
    <message>
        <source>they agree</source>
        <translation>они совпадают</translation>
    </message>
    <message>
        <source>they do not agree, one of the layouts computes something else</source>
        <translation>они не совпадают, одна из раскладок считает что-то другое</translation>
    </message>
    <message>
        <source>%1
started %2 (UTC)</source>
        <translation>%1
начат %2 (UTC)</translation>
    </message>
    <message>
        <source>data × tensor × pipeline, %1</source>
        <translation>данные × тензор × конвейер, %1</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Файл</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Правка</translation>
    </message>
    <message>
        <source>F&amp;loor</source>
        <translation>П&amp;оле</translation>
    </message>
    <message>
        <source>&amp;Plan</source>
        <translation>П&amp;лан</translation>
    </message>
    <message>
        <source>Prediction ✓</source>
        <translation>Прогноз ✓</translation>
    </message>
    <message>
        <source>Prediction</source>
        <translation>Прогноз</translation>
    </message>
    <message>
        <source>Prediction over the timeline</source>
        <translation>Прогноз поверх ленты времени</translation>
    </message>
    <message>
        <source>&lt;p&gt;At any moment a rank&apos;s compute lane is in one of these; they sum to 100 % of the step. A stage&apos;s figure is the mean over its ranks and over the steps shown.&lt;/p&gt;</source>
        <translation>&lt;p&gt;В каждый момент вычислительная дорожка ранга находится в одном из этих состояний; вместе они дают 100 % шага. Число стадии – среднее по её рангам и показанным шагам.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&lt;p&gt;&lt;b&gt;bubble&lt;/b&gt; All idle time over the step without its tail: what papers and closed forms give.&lt;/p&gt;&lt;p&gt;&lt;b&gt;closed form&lt;/b&gt; The bubble that the schedule has by its construction, transfers free and all stages alike</source>
        <translation>&lt;p&gt;&lt;b&gt;пузырь&lt;/b&gt; Весь простой за шаг без хвоста: так считают статьи и замкнутые формулы.&lt;/p&gt;&lt;p&gt;&lt;b&gt;замкнутая формула&lt;/b&gt; Пузырь, который расписание имеет по построению, когда передачи бесплатны, а стадии одинаковы</translation>
    </message>
    <message>
        <source>. &lt;b&gt;at the ends&lt;/b&gt; is its warm-up and cool-down, &lt;b&gt;between&lt;/b&gt; the rest.&lt;/p&gt;</source>
        <translation>. &lt;b&gt;по краям&lt;/b&gt; – его разогрев и остывание, &lt;b&gt;между&lt;/b&gt; – остальное.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>стадия %1</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>среднее</translation>
    </message>
    <message>
        <source>of the stages</source>
        <translation>по стадиям</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>простой</translation>
    </message>
    <message>
        <source>Sum of the rows above: what the bubble is made of.</source>
        <translation>Сумма строк выше: из чего состоит пузырь.</translation>
    </message>
    <message>
        <source>sum</source>
        <translation>сумма</translation>
    </message>
    <message>
        <source>Idle and the rows below it: the whole step.</source>
        <translation>Простой и строки под ним: весь шаг.</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>измерено</translation>
    </message>
    <message>
        <source>Idle ÷ (100 % − tail), mean over ranks and steps.</source>
        <translation>Простой ÷ (100 % − хвост), среднее по рангам и шагам.</translation>
    </message>
    <message>
        <source>closed form</source>
        <translation>замкнутая формула</translation>
    </message>
    <message>
        <source>By the construction of the schedule: </source>
        <translation>По построению расписания: </translation>
    </message>
    <message>
        <source>… at the ends</source>
        <translation>… по краям</translation>
    </message>
    <message>
        <source>Closed form of warm-up and cool-down together.</source>
        <translation>Замкнутая формула разогрева и остывания вместе.</translation>
    </message>
    <message>
        <source>… between</source>
        <translation>… между</translation>
    </message>
    <message>
        <source>Closed form of what idles between first and last computation.</source>
        <translation>Замкнутая формула простоя между первым и последним вычислением.</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>Обмен</translation>
    </message>
    <message>
        <source>step %1: %2</source>
        <translation>шаг %1: %2</translation>
    </message>
    <message>
        <source> points</source>
        <translation> п. п.</translation>
    </message>
    <message>
        <source>rank %1, %2, step %3</source>
        <translation>ранг %1, %2, шаг %3</translation>
    </message>
    <message>
        <source>%1 joined</source>
        <translation>Соединено: %1</translation>
    </message>
    <message>
        <source>, %1 compared: the others take no time on one of both sides</source>
        <translation>, сравнено %1: остальные с одной из сторон не занимают времени</translation>
    </message>
    <message>
        <source>takes no time on one of both sides</source>
        <translation>с одной из сторон не занимает времени</translation>
    </message>
    <message>
        <source>Median of </source>
        <translation>Медиана: </translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>прогноз</translation>
    </message>
    <message>
        <source>median</source>
        <translation>медиана</translation>
    </message>
    <message>
        <source>Median error of single spans: predicted over measured − 1; above 0 the prediction is too long</source>
        <translation>Медиана ошибок отдельных отрезков: прогноз ÷ измерение − 1; выше 0 прогноз длиннее</translation>
    </message>
    <message>
        <source>worst</source>
        <translation>худшее</translation>
    </message>
    <message>
        <source>The error of single spans that is farthest from 0, and where; ×12: twelve times as long as measured</source>
        <translation>Самая далёкая от 0 ошибка отдельного отрезка и её место; ×12: в двенадцать раз дольше измеренного</translation>
    </message>
    <message>
        <source>error</source>
        <translation>ошибка</translation>
    </message>
    <message>
        <source>Predicted over measured − 1; of the bubble the difference in points</source>
        <translation>Прогноз ÷ измерение − 1; для пузыря – разность в процентных пунктах</translation>
    </message>
    <message>
        <source>±: between which eight of ten steps are expected, as the cores keep no even pace</source>
        <translation>±: между чем ожидаются восемь шагов из десяти, ведь ядра не держат ровного темпа</translation>
    </message>
    <message>
        <source>step time</source>
        <translation>время шага</translation>
    </message>
    <message>
        <source>Of the steps shown: from the first begin to the last end over all ranks, median</source>
        <translation>По показанным шагам: от первого начала до последнего конца по всем рангам, медиана</translation>
    </message>
    <message>
        <source>bubble</source>
        <translation>пузырь</translation>
    </message>
    <message>
        <source>Of the steps shown: idle over the step without its tail, mean of the stages and steps</source>
        <translation>По показанным шагам: простой за шаг без хвоста, среднее по стадиям и шагам</translation>
    </message>
    <message>
        <source>run: step time</source>
        <translation>запуск: время шага</translation>
    </message>
    <message>
        <source>Median of %1 on rank 0, as above the timeline and in the history</source>
        <translation>Медиана на ранге 0 (%1), как над шкалой времени и в истории</translation>
    </message>
    <message>
        <source>run: bubble</source>
        <translation>запуск: пузырь</translation>
    </message>
    <message>
        <source>Mean of %1 whose spans were kept, as above the timeline and in the history</source>
        <translation>Среднее по тем, чьи отрезки сохранены (%1), как над шкалой времени и в истории</translation>
    </message>
    <message>
        <source>the spans&apos; durations, without waiting</source>
        <translation>длительность отрезков без ожидания</translation>
    </message>
    <message>
        <source>the computations</source>
        <translation>вычисления</translation>
    </message>
    <message>
        <source>Seconds of a step in computations</source>
        <translation>Секунды шага в вычислениях</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>ранг %1</translation>
    </message>
    <message>
        <source>Peak over all steps, all uses at once</source>
        <translation>Пик за все шаги, все виды сразу</translation>
    </message>
    <message>
        <source>%1: measured %2, predicted %3</source>
        <translation>%1: измерено %2, прогноз %3</translation>
    </message>
    <message>
        <source>Peak of the rank that took most for this use, over all steps</source>
        <translation>Пик ранга, занявшего для этого вида больше всех, за все шаги</translation>
    </message>
    <message>
        <source>The same of the prediction</source>
        <translation>То же по прогнозу</translation>
    </message>
    <message>
        <source>Predicted over measured − 1</source>
        <translation>Прогноз ÷ измерение − 1</translation>
    </message>
    <message>
        <source>nothing was measured of it</source>
        <translation>из этого ничего не измерено</translation>
    </message>
    <message>
        <source>The order in which ranks run through the axes, fastest first</source>
        <translation>Порядок, в котором ранги пробегают оси, от самой быстрой</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>тензор</translation>
    </message>
    <message>
        <source>pipeline</source>
        <translation>конвейер</translation>
    </message>
    <message>
        <source>First node</source>
        <translation>Первый узел</translation>
    </message>
    <message>
        <source>Last node</source>
        <translation>Последний узел</translation>
    </message>
    <message>
        <source>one process a rank, in float32</source>
        <translation>процесс на ранг, в float32</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source> · mixed nodes</source>
        <translation> · разные узлы</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>этот компьютер</translation>
    </message>
    <message>
        <source>nodes %1 → %2</source>
        <translation>узлы %1 → %2</translation>
    </message>
    <message>
        <source>ranks in their own order</source>
        <translation>ранги по порядку</translation>
    </message>
    <message>
        <source>tensor axis fastest</source>
        <translation>тензорная ось – самая быстрая</translation>
    </message>
    <message>
        <source>tensor parallel size %1 → %2</source>
        <translation>размер тензорной оси %1 → %2</translation>
    </message>
    <message>
        <source>global batch %1 → %2</source>
        <translation>глобальный батч %1 → %2</translation>
    </message>
    <message>
        <source>Hostfile</source>
        <translation>Файл узлов</translation>
    </message>
    <message>
        <source>this machine only</source>
        <translation>только этот компьютер</translation>
    </message>
    <message>
        <source>Open MPI</source>
        <translation>Open MPI</translation>
    </message>
    <message>
        <source>name=value …</source>
        <translation>имя=значение …</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Веса</translation>
    </message>
    <message>
        <source>random, from the seed</source>
        <translation>случайные, от зерна</translation>
    </message>
    <message>
        <source>swap ranks %1 and %2</source>
        <translation>поменять ранги %1 и %2</translation>
    </message>
    <message>
        <source>move a rank to a free device</source>
        <translation>перенести ранг на свободное устройство</translation>
    </message>
    <message>
        <source>draw tensor groups of %1</source>
        <translation>нарисовать тензорные группы по %1</translation>
    </message>
    <message>
        <source>stretch the tensor axis to %1</source>
        <translation>растянуть тензорную ось до %1</translation>
    </message>
    <message>
        <source>draw pipelines of %1</source>
        <translation>нарисовать конвейеры по %1</translation>
    </message>
    <message>
        <source>stretch the pipeline to %1</source>
        <translation>растянуть конвейер до %1</translation>
    </message>
    <message>
        <source>stamp %1 data replicas</source>
        <translation>оттиснуть реплики: %1</translation>
    </message>
    <message>
        <source>stretch the data axis to %1</source>
        <translation>растянуть ось данных до %1</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>нет</translation>
    </message>
    <message>
        <source>node %1</source>
        <translation>узел %1</translation>
    </message>
    <message>
        <source> · unused</source>
        <translation> · не занято</translation>
    </message>
    <message>
        <source> · rank %1 · data %2, tensor %3, pipeline %4</source>
        <translation> · ранг %1 · данные %2, тензор %3, конвейер %4</translation>
    </message>
    <message>
        <source> of </source>
        <translation> из </translation>
    </message>
    <message>
        <source>, over capacity</source>
        <translation>, сверх ёмкости</translation>
    </message>
    <message>
        <source>unused</source>
        <translation>не занято</translation>
    </message>
    <message>
        <source>replica %1</source>
        <translation>реплика %1</translation>
    </message>
    <message>
        <source>%1 of %2 used</source>
        <translation>занято %1 из %2</translation>
    </message>
    <message>
        <source> more like this</source>
        <translation> таких же</translation>
    </message>
    <message>
        <source>rack %1</source>
        <translation>стойка %1</translation>
    </message>
    <message>
        <source>Drag across %1s to make a tensor group, or use + and −</source>
        <translation>Проведите по соседям (%1), чтобы сделать тензорную группу, или + и −</translation>
    </message>
    <message>
        <source>Drag along groups to chain them as stages, or use + and −</source>
        <translation>Проведите вдоль групп, чтобы сцепить их в стадии, или + и −</translation>
    </message>
    <message>
        <source>Drag over copies of the model to stamp replicas, or use + and −</source>
        <translation>Проведите по копиям модели, чтобы оттиснуть реплики, или + и −</translation>
    </message>
    <message>
        <source>Drag one rank onto another, or Enter, arrows, Enter</source>
        <translation>Перетащите ранг на другой либо Enter, стрелки, Enter</translation>
    </message>
    <message>
        <source>Select</source>
        <translation>Выбор</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Тензор</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>Конвейер</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Данные</translation>
    </message>
    <message>
        <source>Swap</source>
        <translation>Замена</translation>
    </message>
    <message>
        <source> · this machine</source>
        <translation> · этот компьютер</translation>
    </message>
    <message>
        <source> · %1 on %2</source>
        <translation> · %1 на %2</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>ГБ/с</translation>
    </message>
    <message>
        <source>Bandwidth of one device in one direction while all send</source>
        <translation>Пропускная способность одного устройства в одну сторону, когда отправляют все</translation>
    </message>
    <message>
        <source>Latency µs</source>
        <translation>Задержка, мкс</translation>
    </message>
    <message>
        <source>From one device to another</source>
        <translation>От одного устройства к другому</translation>
    </message>
    <message>
        <source>Start µs</source>
        <translation>Начало, мкс</translation>
    </message>
    <message>
        <source>Of a collective before its first byte moves</source>
        <translation>Коллективной операции до первого байта</translation>
    </message>
    <message>
        <source>Efficiency %</source>
        <translation>КПД, %</translation>
    </message>
    <message>
        <source>Share of the bandwidth that very large collectives reach</source>
        <translation>Доля пропускной способности, которой достигают очень большие коллективные операции</translation>
    </message>
    <message>
        <source>Half size KiB</source>
        <translation>Полуразмер, КиБ</translation>
    </message>
    <message>
        <source>Bytes of a collective that reaches half of that rate</source>
        <translation>Байты коллективной операции, достигающей половины этой скорости</translation>
    </message>
    <message>
        <source>Copy GB/s</source>
        <translation>Копия, ГБ/с</translation>
    </message>
    <message>
        <source>free</source>
        <translation>бесплатно</translation>
    </message>
    <message>
        <source>all</source>
        <translation>все</translation>
    </message>
    <message>
        <source>data parallel size</source>
        <translation>размер оси данных</translation>
    </message>
    <message>
        <source>tensor parallel size</source>
        <translation>размер тензорной оси</translation>
    </message>
    <message>
        <source>pipeline parallel size</source>
        <translation>размер конвейера</translation>
    </message>
    <message>
        <source>global batch</source>
        <translation>глобальный батч</translation>
    </message>
    <message>
        <source>microbatch</source>
        <translation>микробатч</translation>
    </message>
    <message>
        <source>sequence length</source>
        <translation>длина последовательности</translation>
    </message>
    <message>
        <source>even layer split</source>
        <translation>слои поровну</translation>
    </message>
    <message>
        <source>%1, %2 a token</source>
        <translation>%1, на токен %2</translation>
    </message>
    <message>
        <source>predicted only</source>
        <translation>только прогноз</translation>
    </message>
    <message>
        <source> (%1 key/value)</source>
        <translation> (ключей и значений: %1)</translation>
    </message>
    <message>
        <source>%1 parameters · %2 · %3 · %4 · width %5 · vocabulary %6</source>
        <translation>%1 параметров · %2 · %3 · %4 · ширина %5 · словарь %6</translation>
    </message>
    <message>
        <source>This plan cannot run: </source>
        <translation>Этот план нельзя запустить: </translation>
    </message>
    <message>
        <source>This plan is not run here: </source>
        <translation>Этот план здесь не запускается: </translation>
    </message>
    <message>
        <source>Plans (*.triaxis run.json);;All files (*)</source>
        <translation>Планы (*.triaxis run.json);;Все файлы (*)</translation>
    </message>
    <message>
        <source>%1 · from the calibration of this machine of %2</source>
        <translation>%1 · по калибровке этого компьютера от %2</translation>
    </message>
    <message>
        <source>in percent of the step: this machine has not been measured</source>
        <translation>в процентах шага: этот компьютер не измерен</translation>
    </message>
    <message>
        <source>predicted for the cluster</source>
        <translation>прогноз для кластера</translation>
    </message>
    <message>
        <source>predicted for this machine</source>
        <translation>прогноз для этого компьютера</translation>
    </message>
    <message>
        <source>measure this machine first</source>
        <translation>сначала измерьте компьютер</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>Время шага</translation>
    </message>
    <message>
        <source>One optimizer step, from the first forward to the last weight</source>
        <translation>Один шаг оптимизатора, от первого прямого прохода до последнего веса</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>не измерено</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>Токены/с</translation>
    </message>
    <message>
        <source>%1 a step</source>
        <translation>%1 за шаг</translation>
    </message>
    <message>
        <source>Global batch × sequence length over the step time</source>
        <translation>Глобальный батч × длина последовательности ÷ время шага</translation>
    </message>
    <message>
        <source>Work a step</source>
        <translation>Работа за шаг</translation>
    </message>
    <message>
        <source>forward and backward</source>
        <translation>вперёд и назад</translation>
    </message>
    <message>
        <source>Model FLOPs of one step: matrix products and causal attention, backward counted twice, nothing recomputed</source>
        <translation>FLOP модели за шаг: матричные произведения и причинное внимание, обратный проход вдвойне, без пересчёта</translation>
    </message>
    <message>
        <source>MFU</source>
        <translation>MFU</translation>
    </message>
    <message>
        <source>of the peak</source>
        <translation>от пика</translation>
    </message>
    <message>
        <source>Model FLOPs over what the devices&apos; peak would do in that time; recomputed work does not count</source>
        <translation>FLOP модели к тому, что за это время сделали бы устройства на пике; пересчёт не считается</translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation>Пузырь</translation>
    </message>
    <message>
        <source>closed form %1</source>
        <translation>по формуле %1</translation>
    </message>
    <message>
        <source>no closed form</source>
        <translation>формулы нет</translation>
    </message>
    <message>
        <source>Share of the pipeline&apos;s time in which a stage computes nothing, mean over the stages. The closed form is for equal stages and free transfers. No measured runs tell how far off it is</source>
        <translation>Доля времени конвейера, когда стадия ничего не считает, среднее по стадиям. Замкнутая формула – для равных стадий и бесплатных передач. Измеренных запусков, показывающих её ошибку, нет</translation>
    </message>
    <message>
        <source>formula %1</source>
        <translation>формула %1</translation>
    </message>
    <message>
        <source>context</source>
        <translation>контекст</translation>
    </message>
    <message>
        <source>expert</source>
        <translation>эксперты</translation>
    </message>
    <message>
        <source>Exposed comm.</source>
        <translation>Открытый обмен</translation>
    </message>
    <message>
        <source>Share of the step in which the busiest stage does nothing but communicate</source>
        <translation>Доля шага, когда самая занятая стадия только обменивается</translation>
    </message>
    <message>
        <source>, waiting for each other inside collectives included</source>
        <translation>, включая взаимное ожидание в коллективных операциях</translation>
    </message>
    <message>
        <source>
%1: %2, %3</source>
        <translation>
%1: %2, %3</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>ничего</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>Пик памяти</translation>
    </message>
    <message>
        <source>Most bytes that any rank holds within a step, against the memory of its device</source>
        <translation>Наибольшее число байтов у ранга за шаг против памяти его устройства</translation>
    </message>
    <message>
        <source>
rank %1</source>
        <translation>
ранг %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 из %2</translation>
    </message>
    <message>
        <source>%1 too much</source>
        <translation>лишние %1</translation>
    </message>
    <message>
        <source>Expected error</source>
        <translation>Ожид. ошибка</translation>
    </message>
    <message>
        <source>Mean error of such predictions on measured runs that they were not fitted to</source>
        <translation>Средняя ошибка таких прогнозов на измеренных запусках, под которые их не подгоняли</translation>
    </message>
    <message>
        <source> here</source>
        <translation> здесь</translation>
    </message>
    <message>
        <source>How far off the predictions of the latest finished runs in the history were that ran on this machine, mean of |predicted ÷ measured − 1|</source>
        <translation>Насколько ошиблись прогнозы последних законченных запусков на этом компьютере, среднее |прогноз ÷ измерение − 1|</translation>
    </message>
    <message>
        <source>spread of its pace</source>
        <translation>разброс темпа</translation>
    </message>
    <message>
        <source>calibration</source>
        <translation>калибровка</translation>
    </message>
    <message>
        <source>From the calibration: within which eight of ten steps are expected, as the cores keep no even pace. Once a run has ended here, the error of its prediction stands instead</source>
        <translation>По калибровке: в каких пределах ожидаются восемь шагов из десяти, ведь ядра не держат ровного темпа. Когда здесь закончится запуск, вместо этого будет ошибка его прогноза</translation>
    </message>
    <message>
        <source>run it and compare</source>
        <translation>запустите и сравните</translation>
    </message>
    <message>
        <source>Not known before a run has ended here</source>
        <translation>Неизвестно, пока здесь не закончится запуск</translation>
    </message>
    <message>
        <source>this plan cannot be predicted</source>
        <translation>этот план нельзя предсказать</translation>
    </message>
    <message>
        <source>not predicted</source>
        <translation>прогноза нет</translation>
    </message>
    <message>
        <source>since the last edit</source>
        <translation>с последней правки</translation>
    </message>
    <message>
        <source>rank </source>
        <translation>ранг </translation>
    </message>
    <message>
        <source>ranks </source>
        <translation>ранги </translation>
    </message>
    <message>
        <source>no layer</source>
        <translation>слоёв нет</translation>
    </message>
    <message>
        <source>layer </source>
        <translation>слой </translation>
    </message>
    <message>
        <source>layers </source>
        <translation>слои </translation>
    </message>
    <message>
        <source> and </source>
        <translation> и </translation>
    </message>
    <message>
        <source>embedding, </source>
        <translation>эмбеддинг, </translation>
    </message>
    <message>
        <source>, head</source>
        <translation>, голова</translation>
    </message>
    <message>
        <source>, key/value %1</source>
        <translation>, ключи и значения %1</translation>
    </message>
    <message>
        <source>F forward</source>
        <translation>F прямой проход</translation>
    </message>
    <message>
        <source>B full backward</source>
        <translation>B весь обратный проход</translation>
    </message>
    <message>
        <source>I backward for the input (B in zero-bubble papers)</source>
        <translation>I обратный по входу (B в статьях о нулевом пузыре)</translation>
    </message>
    <message>
        <source>W backward for the weights</source>
        <translation>W обратный по весам</translation>
    </message>
    <message>
        <source>none</source>
        <translation>нет</translation>
    </message>
    <message>
        <source>1: optimizer</source>
        <translation>1: оптимизатор</translation>
    </message>
    <message>
        <source>2: and gradients</source>
        <translation>2: и градиенты</translation>
    </message>
    <message>
        <source>3: and weights (FSDP)</source>
        <translation>3: и веса (FSDP)</translation>
    </message>
    <message>
        <source>selective</source>
        <translation>выборочный</translation>
    </message>
    <message>
        <source>full</source>
        <translation>полный</translation>
    </message>
    <message>
        <source>A run goes on</source>
        <translation>Идёт запуск</translation>
    </message>
    <message>
        <source>%1 still runs. Stop it before the new run starts?</source>
        <translation>%1 ещё идёт. Остановить его перед новым запуском?</translation>
    </message>
    <message>
        <source>Runs beside each other share the cores: both are slower, and what they measure tells little. What a stopped run has measured is kept.</source>
        <translation>Одновременные запуски делят ядра: оба идут медленнее, и их измерения мало о чём говорят. Измеренное остановленным запуском сохраняется.</translation>
    </message>
    <message>
        <source>Stop and start</source>
        <translation>Остановить и начать</translation>
    </message>
    <message>
        <source>Start beside</source>
        <translation>Начать рядом</translation>
    </message>
    <message>
        <source>Other programs use this machine (load %1 per core in the last minute): they disturb the measurement. End them first, or expect predictions that are off.</source>
        <translation>Компьютер занят другими программами (нагрузка %1 на ядро за последнюю минуту): они мешают измерению. Закройте их, иначе прогнозы будут неточны.</translation>
    </message>
    <message>
        <source>Calibrate this machine</source>
        <translation>Калибровка этого компьютера</translation>
    </message>
    <message>
        <source>Measure this machine now? It takes up to 4 minutes.</source>
        <translation>Измерить этот компьютер сейчас? Это займёт до 4 минут.</translation>
    </message>
    <message>
        <source>Leave the machine alone meanwhile. An earlier measurement is replaced when the new one is complete.</source>
        <translation>Пока не трогайте компьютер. Прежнее измерение заменится, когда новое будет закончено.</translation>
    </message>
    <message>
        <source>Calibrate</source>
        <translation>Калибровать</translation>
    </message>
    <message>
        <source>Calibrate anyway</source>
        <translation>Всё равно калибровать</translation>
    </message>
    <message>
        <source>up to 4 minutes in all</source>
        <translation>всего до 4 минут</translation>
    </message>
    <message>
        <source>about %1 s left</source>
        <translation>осталось около %1 с</translation>
    </message>
    <message>
        <source>about %1 min left</source>
        <translation>осталось около %1 мин</translation>
    </message>
    <message>
        <source>all at once: %1</source>
        <translation>все сразу: %1</translation>
    </message>
    <message>
        <source>each at its own peak within %1</source>
        <translation>каждый на своём пике за %1</translation>
    </message>
    <message>
        <source>each at its own peak over all steps</source>
        <translation>каждый на своём пике за все шаги</translation>
    </message>
    <message>
        <source>at %1</source>
        <translation>в %1</translation>
    </message>
    <message>
        <source>each at its own peak within step %1</source>
        <translation>каждый на своём пике за шаг %1</translation>
    </message>
    <message>
        <source>data %1 · stage %2</source>
        <translation>данные %1 · стадия %2</translation>
    </message>
    <message>
        <source>
rank %1, the fullest of %2 tensor ranks</source>
        <translation>
ранг %1, самый полный из тензорных рангов (%2)</translation>
    </message>
    <message>
        <source>1 step</source>
        <translation>1 шаг</translation>
    </message>
    <message>
        <source>last step</source>
        <translation>последний шаг</translation>
    </message>
    <message>
        <source>last %1 steps</source>
        <translation>последние шаги: %1</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Состояние</translation>
    </message>
    <message>
        <source>ranks come up</source>
        <translation>ранги поднимаются</translation>
    </message>
    <message>
        <source>first step</source>
        <translation>первый шаг</translation>
    </message>
    <message>
        <source>about %1 left</source>
        <translation>осталось около %1</translation>
    </message>
    <message>
        <source>ranks finish their step</source>
        <translation>ранги заканчивают шаг</translation>
    </message>
    <message>
        <source>trained for %1</source>
        <translation>обучался %1</translation>
    </message>
    <message>
        <source>see above</source>
        <translation>см. выше</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Потери</translation>
    </message>
    <message>
        <source>Mean over the global batch, before the update</source>
        <translation>Среднее по глобальному батчу, до обновления</translation>
    </message>
    <message>
        <source>best reachable %1</source>
        <translation>минимум %1</translation>
    </message>
    <message>
        <source>predicted </source>
        <translation>прогноз </translation>
    </message>
    <message>
        <source>Tokens / s</source>
        <translation>Токены/с</translation>
    </message>
    <message>
        <source>Tokens of the last steps over their duration on rank 0</source>
        <translation>Токены последних шагов к их длительности на ранге 0</translation>
    </message>
    <message>
        <source>Median duration of a step on rank 0; the first step is left out</source>
        <translation>Медиана длительности шага на ранге 0; первый шаг не считается</translation>
    </message>
    <message>
        <source>Idle share of the compute lanes over the step without its tail, mean over the stages and the steps whose spans were kept, as in the history; the first step is left out. The panels tell it of the steps that the timeline shows or has marked</source>
        <translation>Доля простоя вычислительных дорожек за шаг без хвоста, среднее по стадиям и шагам с сохранёнными отрезками, как в истории; первый шаг не считается. Панели показывают её для шагов, видимых или отмеченных на ленте времени</translation>
    </message>
    <message>
        <source>
predicted </source>
        <translation>
прогноз </translation>
    </message>
    <message>
        <source>Slowest rank</source>
        <translation>Медленный ранг</translation>
    </message>
    <message>
        <source>Median time in computation over the last steps with spans, against the median of the other ranks of its stage. </source>
        <translation>Медиана времени вычислений за последние шаги с отрезками против медианы других рангов той же стадии. </translation>
    </message>
    <message>
        <source>one rank a stage</source>
        <translation>один ранг на стадию</translation>
    </message>
    <message>
        <source>ranks of a stage are even</source>
        <translation>ранги стадии равны</translation>
    </message>
    <message>
        <source>rank %1 · +%2%3%</source>
        <translation>ранг %1 · +%2%3%</translation>
    </message>
    <message>
        <source>no straggler</source>
        <translation>отстающих нет</translation>
    </message>
    <message>
        <source>straggler</source>
        <translation>отстающий</translation>
    </message>
    <message>
        <source>%1 stragglers</source>
        <translation>отстающих: %1</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Память</translation>
    </message>
    <message>
        <source>peak of the fullest rank</source>
        <translation>пик самого полного ранга</translation>
    </message>
    <message>
        <source>Most bytes that the rank had allocated at once over all steps, all uses together</source>
        <translation>Наибольшее число байтов, занятых рангом одновременно за все шаги, все виды вместе</translation>
    </message>
    <message>
        <source>peak of rank %1</source>
        <translation>пик ранга %1</translation>
    </message>
    <message>
        <source>step %1  loss %2  gradient norm %3  %4  %5 tokens/s</source>
        <translation>шаг %1  потери %2  норма градиента %3  %4  %5 токенов/с</translation>
    </message>
    <message>
        <source>gave up in step %1: %2</source>
        <translation>сдался на шаге %1: %2</translation>
    </message>
    <message>
        <source>on %1, process %2, %3, %4</source>
        <translation>на %1, процесс %2, %3, %4</translation>
    </message>
    <message>
        <source>%1 · step %2 of %3</source>
        <translation>%1 · шаг %2 из %3</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>шаг %1</translation>
    </message>
    <message>
        <source>steps %1–%2</source>
        <translation>шаги %1–%2</translation>
    </message>
    <message>
        <source>%1, %2 of %3 kept</source>
        <translation>%1, сохранено %2 из %3</translation>
    </message>
    <message>
        <source>straggler: computes %1%2% longer than its stage</source>
        <translation>отстающий: считает на %1%2% дольше своей стадии</translation>
    </message>
    <message>
        <source>A straggler computes at least %1%2% longer (median over the last %3 steps with spans) than the median of the other ranks of its stage.</source>
        <translation>Отстающий считает не менее чем на %1%2% дольше (медиана за последние %3 шагов с отрезками) медианы других рангов своей стадии.</translation>
    </message>
    <message>
        <source>this plan</source>
        <translation>этот план</translation>
    </message>
    <message>
        <source>rule of thumb</source>
        <translation>простое правило</translation>
    </message>
    <message>
        <source>on the front</source>
        <translation>на фронте</translation>
    </message>
    <message>
        <source>This plan: the layout as it is drawn now.</source>
        <translation>Этот план: раскладка, как она сейчас нарисована.</translation>
    </message>
    <message>
        <source>Rule of thumb: the smallest tensor and pipeline sizes that fit, the rest data parallel.</source>
        <translation>Простое правило: наименьшие подходящие размеры тензорной оси и конвейера, остальное – параллелизм данных.</translation>
    </message>
    <message>
        <source>On the front: no other layout is both faster and smaller.</source>
        <translation>На фронте: нет раскладки, которая и быстрее, и меньше.</translation>
    </message>
    <message>
        <source>Data × tensor × pipeline</source>
        <translation>Данные × тензор × конвейер</translation>
    </message>
    <message>
        <source>Sizes of the axes</source>
        <translation>Размеры осей</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Расписание</translation>
    </message>
    <message>
        <source>Order of forwards and backwards in the pipeline</source>
        <translation>Порядок прямых и обратных проходов в конвейере</translation>
    </message>
    <message>
        <source>Microbatch</source>
        <translation>Микробатч</translation>
    </message>
    <message>
        <source>Sequences a microbatch</source>
        <translation>Последовательностей в микробатче</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Настройки</translation>
    </message>
    <message>
        <source>What else tells the layouts apart</source>
        <translation>Чем ещё отличаются раскладки</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Шаг</translation>
    </message>
    <message>
        <source>Predicted time of a step</source>
        <translation>Предсказанное время шага</translation>
    </message>
    <message>
        <source>Against yours</source>
        <translation>К вашему</translation>
    </message>
    <message>
        <source>Step time against the plan as it is drawn</source>
        <translation>Время шага против нарисованного плана</translation>
    </message>
    <message>
        <source>Peak of the fullest rank</source>
        <translation>Пик самого полного ранга</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Заметка</translation>
    </message>
    <message>
        <source>, context %1</source>
        <translation>, контекст %1</translation>
    </message>
    <message>
        <source>, expert %1</source>
        <translation>, эксперты %1</translation>
    </message>
    <message>
        <source>, expert tensor %1</source>
        <translation>, тензор в экспертах %1</translation>
    </message>
    <message>
        <source>%1, %2 chunks</source>
        <translation>%1, чанков: %2</translation>
    </message>
    <message>
        <source>uneven layers</source>
        <translation>слои неравно</translation>
    </message>
    <message>
        <source>recompute of %1</source>
        <translation>пересчёт: %1</translation>
    </message>
    <message>
        <source>%1 recompute</source>
        <translation>%1 пересчёт</translation>
    </message>
    <message>
        <source>ZeRO </source>
        <translation>ZeRO </translation>
    </message>
    <message>
        <source>shards over %1</source>
        <translation>доли по %1</translation>
    </message>
    <message>
        <source>sequence parallel</source>
        <translation>параллелизм последовательности</translation>
    </message>
    <message>
        <source>offload</source>
        <translation>выгрузка</translation>
    </message>
    <message>
        <source>split vocabulary</source>
        <translation>словарь разделён</translation>
    </message>
    <message>
        <source>an eighth</source>
        <translation>в 8 раз меньше</translation>
    </message>
    <message>
        <source>as planned</source>
        <translation>как в плане</translation>
    </message>
    <message>
        <source>8 times</source>
        <translation>в 8 раз больше</translation>
    </message>
    <message>
        <source>Bandwidth between nodes</source>
        <translation>Пропускная способность между узлами</translation>
    </message>
    <message>
        <source>Of the outermost link</source>
        <translation>Самой внешней связи</translation>
    </message>
    <message>
        <source>Bandwidth inside a node</source>
        <translation>Пропускная способность внутри узла</translation>
    </message>
    <message>
        <source>Of all inner links</source>
        <translation>Всех внутренних связей</translation>
    </message>
    <message>
        <source>Latency of links</source>
        <translation>Задержка связей</translation>
    </message>
    <message>
        <source>Start of collectives included</source>
        <translation>Включая начало коллективных операций</translation>
    </message>
    <message>
        <source>Compute rate</source>
        <translation>Скорость вычислений</translation>
    </message>
    <message>
        <source>Peak of the devices: another generation, another clock</source>
        <translation>Пик устройств: другое поколение, другая частота</translation>
    </message>
    <message>
        <source>Memory bandwidth</source>
        <translation>Пропускная способность памяти</translation>
    </message>
    <message>
        <source>Of the devices</source>
        <translation>Устройств</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>Реплики</translation>
    </message>
    <message>
        <source>Data-parallel size, and the global batch with it</source>
        <translation>Размер оси данных, а с ним и глобальный батч</translation>
    </message>
    <message>
        <source>memory of rank %1</source>
        <translation>память ранга %1</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>токенов/с</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>потери</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Окно</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>План</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Запуск</translation>
    </message>
    <message>
        <source>History</source>
        <translation>История</translation>
    </message>
    <message>
        <source>Appearance…</source>
        <translation>Внешний вид…</translation>
    </message>
    <message>
        <source>Keyboard…</source>
        <translation>Клавиатура…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Экспорт…</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>Закрыть окно</translation>
    </message>
    <message>
        <source>Window: plan file</source>
        <translation>Окно: файл плана</translation>
    </message>
    <message>
        <source>Examples…</source>
        <translation>Примеры…</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Открыть…</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Сохранить</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Сохранить как…</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Отменить</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Повторить</translation>
    </message>
    <message>
        <source>Find best layout…</source>
        <translation>Найти лучшую раскладку…</translation>
    </message>
    <message>
        <source>What if…</source>
        <translation>Что, если…</translation>
    </message>
    <message>
        <source>Find what this machine has</source>
        <translation>Осмотреть этот компьютер</translation>
    </message>
    <message>
        <source>Calibrate this machine…</source>
        <translation>Калибровка этого компьютера…</translation>
    </message>
    <message>
        <source>Predicted step</source>
        <translation>Предсказанный шаг</translation>
    </message>
    <message>
        <source>Floor: brushes</source>
        <translation>Поле: кисти</translation>
    </message>
    <message>
        <source>Select ranks</source>
        <translation>Выбирать ранги</translation>
    </message>
    <message>
        <source>Draw a tensor group</source>
        <translation>Рисовать тензорную группу</translation>
    </message>
    <message>
        <source>Draw a pipeline</source>
        <translation>Рисовать конвейер</translation>
    </message>
    <message>
        <source>Stamp data replicas</source>
        <translation>Оттискивать реплики</translation>
    </message>
    <message>
        <source>Swap two ranks</source>
        <translation>Менять два ранга</translation>
    </message>
    <message>
        <source>Floor: view</source>
        <translation>Поле: вид</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>Приблизить</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>Отдалить</translation>
    </message>
    <message>
        <source>Show the whole floor</source>
        <translation>Показать всё поле</translation>
    </message>
    <message>
        <source>Zoom to the selected rank</source>
        <translation>Приблизить выбранный ранг</translation>
    </message>
    <message>
        <source>Fold equal nodes</source>
        <translation>Свернуть одинаковые узлы</translation>
    </message>
    <message>
        <source>Search the runs</source>
        <translation>Искать среди запусков</translation>
    </message>
    <message>
        <source>Open the run</source>
        <translation>Открыть запуск</translation>
    </message>
    <message>
        <source>Compare the selected runs</source>
        <translation>Сравнить выбранные запуски</translation>
    </message>
    <message>
        <source>Give a star or take it away</source>
        <translation>Поставить или снять звезду</translation>
    </message>
    <message>
        <source>Change the label</source>
        <translation>Изменить название</translation>
    </message>
    <message>
        <source>Add a tag</source>
        <translation>Добавить метку</translation>
    </message>
    <message>
        <source>Write a note</source>
        <translation>Написать заметку</translation>
    </message>
    <message>
        <source>Details of the selected runs</source>
        <translation>Сведения о выбранных запусках</translation>
    </message>
    <message>
        <source>Only runs with a star</source>
        <translation>Только запуски со звездой</translation>
    </message>
    <message>
        <source>Clear search and filters</source>
        <translation>Сбросить поиск и фильтры</translation>
    </message>
    <message>
        <source>Delete the selected runs</source>
        <translation>Удалить выбранные запуски</translation>
    </message>
    <message>
        <source>Show the trash</source>
        <translation>Показать корзину</translation>
    </message>
    <message>
        <source>Restore from the trash</source>
        <translation>Восстановить из корзины</translation>
    </message>
    <message>
        <source>Delete for good…</source>
        <translation>Удалить навсегда…</translation>
    </message>
    <message>
        <source>Empty the trash…</source>
        <translation>Опустошить корзину…</translation>
    </message>
    <message>
        <source>Export bundle…</source>
        <translation>Экспорт пакета…</translation>
    </message>
    <message>
        <source>Import bundles…</source>
        <translation>Импорт пакетов…</translation>
    </message>
    <message>
        <source>Export report…</source>
        <translation>Сохранить отчёт…</translation>
    </message>
    <message>
        <source>Export trace…</source>
        <translation>Сохранить трассу…</translation>
    </message>
    <message>
        <source>Show folder</source>
        <translation>Показать папку</translation>
    </message>
    <message>
        <source>Stop the run after its step</source>
        <translation>Остановить запуск после шага</translation>
    </message>
    <message>
        <source>Free room…</source>
        <translation>Освободить место…</translation>
    </message>
    <message>
        <source>Rebuild from the run directories</source>
        <translation>Составить заново по папкам запусков</translation>
    </message>
    <message>
        <source>Timeline: range</source>
        <translation>Лента времени: участок</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>Раньше</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>Позже</translation>
    </message>
    <message>
        <source>Show all steps</source>
        <translation>Показать все шаги</translation>
    </message>
    <message>
        <source>Zoom to the marked range, else the span</source>
        <translation>К отмеченному участку, иначе к отрезку</translation>
    </message>
    <message>
        <source>Follow the latest step</source>
        <translation>Следить за последним шагом</translation>
    </message>
    <message>
        <source>Zoom back</source>
        <translation>Прежний масштаб</translation>
    </message>
    <message>
        <source>Zoom forward again</source>
        <translation>Снова вперёд по масштабам</translation>
    </message>
    <message>
        <source>Mark the range of the span</source>
        <translation>Отметить участок отрезка</translation>
    </message>
    <message>
        <source>Move the moment earlier</source>
        <translation>Сдвинуть момент раньше</translation>
    </message>
    <message>
        <source>Move the moment later</source>
        <translation>Сдвинуть момент позже</translation>
    </message>
    <message>
        <source>Clear range, moment and span</source>
        <translation>Сбросить участок, момент и отрезок</translation>
    </message>
    <message>
        <source>Timeline: spans</source>
        <translation>Лента времени: отрезки</translation>
    </message>
    <message>
        <source>Next span of the lane</source>
        <translation>Следующий отрезок дорожки</translation>
    </message>
    <message>
        <source>Previous span of the lane</source>
        <translation>Предыдущий отрезок дорожки</translation>
    </message>
    <message>
        <source>Follow the data on</source>
        <translation>Вперёд за данными</translation>
    </message>
    <message>
        <source>Follow the data back</source>
        <translation>Назад за данными</translation>
    </message>
    <message>
        <source>Lane above</source>
        <translation>Дорожка выше</translation>
    </message>
    <message>
        <source>Lane below</source>
        <translation>Дорожка ниже</translation>
    </message>
    <message>
        <source>Search spans</source>
        <translation>Искать отрезки</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>Следующее совпадение</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>Предыдущее совпадение</translation>
    </message>
    <message>
        <source>Add a mark with a note</source>
        <translation>Поставить отметку с заметкой</translation>
    </message>
    <message>
        <source>Next mark</source>
        <translation>Следующая отметка</translation>
    </message>
    <message>
        <source>Previous mark</source>
        <translation>Предыдущая отметка</translation>
    </message>
    <message>
        <source>Timeline: lanes</source>
        <translation>Лента времени: дорожки</translation>
    </message>
    <message>
        <source>Pin the lane on top</source>
        <translation>Закрепить дорожку наверху</translation>
    </message>
    <message>
        <source>Hide the lane</source>
        <translation>Скрыть дорожку</translation>
    </message>
    <message>
        <source>Show all lanes</source>
        <translation>Показать все дорожки</translation>
    </message>
    <message>
        <source>Collapse or open the group</source>
        <translation>Свернуть или раскрыть группу</translation>
    </message>
    <message>
        <source>Collapse or open all groups</source>
        <translation>Свернуть или раскрыть все группы</translation>
    </message>
    <message>
        <source>Group by the next axis</source>
        <translation>Группировать по следующей оси</translation>
    </message>
    <message>
        <source>Colour by the next axis</source>
        <translation>Красить по следующей оси</translation>
    </message>
    <message>
        <source>Communication stream by stream</source>
        <translation>Обмен по потокам</translation>
    </message>
    <message>
        <source>Timeline: shown</source>
        <translation>Лента времени: что показано</translation>
    </message>
    <message>
        <source>Details of the span</source>
        <translation>Сведения об отрезке</translation>
    </message>
    <message>
        <source>Export the timeline as shown…</source>
        <translation>Сохранить ленту как на экране…</translation>
    </message>
    <message>
        <source>Critical path of the step</source>
        <translation>Критический путь шага</translation>
    </message>
    <message>
        <source>Arrows from send to receive</source>
        <translation>Стрелки от отправки к приёму</translation>
    </message>
    <message>
        <source>Prediction over measurement</source>
        <translation>Прогноз поверх измерения</translation>
    </message>
    <message>
        <source>Scale the prediction to the step</source>
        <translation>Растянуть прогноз на шаг</translation>
    </message>
    <message>
        <source>Curves beneath the lanes</source>
        <translation>Кривые под дорожками</translation>
    </message>
    <message>
        <source>Map of the whole run</source>
        <translation>Карта всего запуска</translation>
    </message>
    <message>
        <source> of microbatch %1</source>
        <translation>, микробатч %1</translation>
    </message>
    <message>
        <source>%1 on rank %2 (%3)</source>
        <translation>%1 на ранге %2 (%3)</translation>
    </message>
    <message>
        <source>waited</source>
        <translation>ждал</translation>
    </message>
    <message>
        <source>transferred</source>
        <translation>передавал</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>байты</translation>
    </message>
    <message>
        <source>rate</source>
        <translation>скорость</translation>
    </message>
    <message>
        <source>duration</source>
        <translation>длительность</translation>
    </message>
    <message>
        <source>tensor wait</source>
        <translation>ожидание тензора</translation>
    </message>
    <message>
        <source>tensor transfer</source>
        <translation>передача тензора</translation>
    </message>
    <message>
        <source>work</source>
        <translation>работа</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>ранг</translation>
    </message>
    <message>
        <source>step</source>
        <translation>шаг</translation>
    </message>
    <message>
        <source>chunk</source>
        <translation>чанк</translation>
    </message>
    <message>
        <source>begins</source>
        <translation>начало</translation>
    </message>
    <message>
        <source> into the step</source>
        <translation> от начала шага</translation>
    </message>
    <message>
        <source>of the step</source>
        <translation>доля шага</translation>
    </message>
    <message>
        <source>began</source>
        <translation>начался</translation>
    </message>
    <message>
        <source>to</source>
        <translation>куда</translation>
    </message>
    <message>
        <source>from</source>
        <translation>откуда</translation>
    </message>
    <message>
        <source>together with</source>
        <translation>вместе с</translation>
    </message>
    <message>
        <source>waited for</source>
        <translation>ждал</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>прямой проход</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>обратный проход</translation>
    </message>
    <message>
        <source>weight gradient</source>
        <translation>градиент весов</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>оптимизатор</translation>
    </message>
    <message>
        <source>wait</source>
        <translation>ожидание</translation>
    </message>
    <message>
        <source>strip in a span: tensor wait, sum</source>
        <translation>полоска в отрезке: сумма ожиданий тензора</translation>
    </message>
    <message>
        <source>pale, above a lane: predicted, scaled to the step</source>
        <translation>бледное над дорожкой: прогноз, растянутый на шаг</translation>
    </message>
    <message>
        <source>pale, above a lane: predicted</source>
        <translation>бледное над дорожкой: прогноз</translation>
    </message>
    <message>
        <source>gradients, once a step</source>
        <translation>градиенты, раз за шаг</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>градиенты</translation>
    </message>
    <message>
        <source>sums in every layer</source>
        <translation>суммы в каждом слое</translation>
    </message>
    <message>
        <source>sums</source>
        <translation>суммы</translation>
    </message>
    <message>
        <source>activations to the next</source>
        <translation>активации следующей</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>активации</translation>
    </message>
    <message>
        <source>waiting: </source>
        <translation>ожидание: </translation>
    </message>
    <message>
        <source>Δ %1 · %2 busy · %3 idle · %4</source>
        <translation>Δ %1 · занято %2 · простой %3 · %4</translation>
    </message>
    <message>
        <source> · sum %1 · mean %2 · min %3 · max %4</source>
        <translation> · сумма %1 · среднее %2 · мин. %3 · макс. %4</translation>
    </message>
    <message>
        <source>as predicted</source>
        <translation>как предсказано</translation>
    </message>
    <message>
        <source> later than predicted</source>
        <translation> позже прогноза</translation>
    </message>
    <message>
        <source> earlier than predicted</source>
        <translation> раньше прогноза</translation>
    </message>
    <message>
        <source>rank %1 · %2
%3
%4, begins %5 into step %6</source>
        <translation>ранг %1 · %2
%3
%4, начало через %5 от начала шага %6</translation>
    </message>
    <message>
        <source>rank %1, data %2, pipeline %3, tensor %4: %5%6</source>
        <translation>ранг %1, данные %2, конвейер %3, тензор %4: %5%6</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>обмен</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>вычисления</translation>
    </message>
    <message>
        <source>replica (data)</source>
        <translation>реплика (данные)</translation>
    </message>
    <message>
        <source>stage (pipeline)</source>
        <translation>стадия (конвейер)</translation>
    </message>
    <message>
        <source>tensor rank</source>
        <translation>тензорный ранг</translation>
    </message>
    <message>
        <source>launcher</source>
        <translation>запуск</translation>
    </message>
    <message>
        <source>Plan: floor</source>
        <translation>План: поле</translation>
    </message>
    <message>
        <source>Plan: form</source>
        <translation>План: форма</translation>
    </message>
    <message>
        <source>Run: figures</source>
        <translation>Запуск: числа</translation>
    </message>
    <message>
        <source>Timeline: mouse</source>
        <translation>Лента времени: мышь</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>Крупнее текст</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>Мельче текст</translation>
    </message>
    <message>
        <source>Usual text size</source>
        <translation>Обычный размер текста</translation>
    </message>
    <message>
        <source>
Run &quot;triaxis calibrate&quot; once; then runs here are predicted too</source>
        <translation>
Выполните triaxis calibrate один раз, и запуски здесь тоже будут предсказаны</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ранги</translation>
    </message>
    <message>
        <source>Memory a rank</source>
        <translation>Память ранга</translation>
    </message>
    <message>
        <source>Communication</source>
        <translation>Обмен</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Ускорение</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>Эффективность</translation>
    </message>
    <message>
        <source>middle half of %1: %2 – %3</source>
        <translation>средняя половина (%1): %2 – %3</translation>
    </message>
    <message>
        <source>tensor %1 · pipeline %2 · data %3</source>
        <translation>тензор %1 · конвейер %2 · данные %3</translation>
    </message>
    <message>
        <source>%1 was not measured: %2</source>
        <translation>%1 не измерено: %2</translation>
    </message>
    <message>
        <source>data × tensor × pipeline ranks</source>
        <translation>ранги: данные × тензор × конвейер</translation>
    </message>
    <message>
        <source>runs now</source>
        <translation>идёт</translation>
    </message>
    <message>
        <source>Sweep layouts…</source>
        <translation>Перебор раскладок…</translation>
    </message>
    <message>
        <source>Rate at which an all-reduce passes its buffer through a device&apos;s own memory; 0: free</source>
        <translation>Скорость, с которой all-reduce проводит буфер через память устройства; 0: бесплатно</translation>
    </message>
    <message>
        <source>This plan, the rule of thumb&apos;s answer, and the front: layouts of which none is both faster and smaller than another</source>
        <translation>Этот план, ответ простого правила и фронт: раскладки, из которых ни одна не быстрее и не меньше другой сразу</translation>
    </message>
    <message>
        <source>Glossary…</source>
        <translation>Глоссарий…</translation>
    </message>
    <message>
        <source>Tour</source>
        <translation>Знакомство</translation>
    </message>
    <message>
        <source>Timeline of the step that stands for the run</source>
        <translation>Лента времени шага, представляющего запуск</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>Раскладка</translation>
    </message>
    <message>
        <source>Loss by step</source>
        <translation>Потери по шагам</translation>
    </message>
    <message>
        <source>Step time by step</source>
        <translation>Время по шагам</translation>
    </message>
    <message>
        <source>Bubble by stage</source>
        <translation>Пузырь по стадиям</translation>
    </message>
    <message>
        <source>Peak memory of every rank</source>
        <translation>Пик памяти каждого ранга</translation>
    </message>
    <message>
        <source>Peak memory by rank and category</source>
        <translation>Пик памяти по рангам и видам</translation>
    </message>
    <message>
        <source>Communication, rank to rank</source>
        <translation>Обмен между рангами</translation>
    </message>
    <message>
        <source>Measured and predicted step</source>
        <translation>Измеренный и предсказанный шаг</translation>
    </message>
    <message>
        <source>Steps: loss, gradient norm, time, tokens</source>
        <translation>Шаги: потери, норма градиента, время, токены</translation>
    </message>
    <message>
        <source>Ranks: coordinates and places</source>
        <translation>Ранги: координаты и места</translation>
    </message>
    <message>
        <source>Where the step goes, by stage</source>
        <translation>На что уходит шаг, по стадиям</translation>
    </message>
    <message>
        <source>Communication by pair of ranks</source>
        <translation>Обмен по парам рангов</translation>
    </message>
    <message>
        <source>Prediction of the run and its error</source>
        <translation>Прогноз запуска и его ошибка</translation>
    </message>
    <message>
        <source>Prediction errors by kind</source>
        <translation>Ошибки прогноза по видам</translation>
    </message>
    <message>
        <source>Prediction errors by rank</source>
        <translation>Ошибки прогноза по рангам</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Отчёт</translation>
    </message>
    <message>
        <source>Report with all figures and definitions</source>
        <translation>Отчёт со всеми числами и определениями</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Вид</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Таблица</translation>
    </message>
    <message>
        <source>Spans</source>
        <translation>Отрезки</translation>
    </message>
    <message>
        <source>All spans, a row each</source>
        <translation>Все отрезки, по строке на каждый</translation>
    </message>
    <message>
        <source>Chrome trace, opens in ui.perfetto.dev</source>
        <translation>Трасса Chrome, открывается в ui.perfetto.dev</translation>
    </message>
    <message>
        <source>Comparison with curves, timelines and settings</source>
        <translation>Сравнение с кривыми, лентами времени и настройками</translation>
    </message>
    <message>
        <source>Figures of all runs</source>
        <translation>Числа всех запусков</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Экспорт</translation>
    </message>
    <message>
        <source>Export view…</source>
        <translation>Сохранить вид…</translation>
    </message>
    <message>
        <source>Export table as CSV…</source>
        <translation>Сохранить таблицу в CSV…</translation>
    </message>
    <message>
        <source>Open or select a run first.</source>
        <translation>Сначала откройте или выберите запуск.</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>запуск %1</translation>
    </message>
    <message>
        <source>Timeline as shown</source>
        <translation>Лента времени как на экране</translation>
    </message>
    <message>
        <source>Floor as shown</source>
        <translation>Поле как на экране</translation>
    </message>
    <message>
        <source>the comparison</source>
        <translation>сравнение</translation>
    </message>
    <message>
        <source>Report of the prediction</source>
        <translation>Отчёт о прогнозе</translation>
    </message>
    <message>
        <source>the plan</source>
        <translation>план</translation>
    </message>
    <message>
        <source>B</source>
        <comment>billions</comment>
        <translation>млрд</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::AppearanceMenu</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Тема</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>Как в &amp;системе</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Светлая</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Тёмная</translation>
    </message>
    <message>
        <source>&amp;High contrast</source>
        <translation>&amp;Контрастная</translation>
    </message>
    <message>
        <source>Text si&amp;ze</source>
        <translation>&amp;Размер текста</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::ArrangementStore</name>
    <message>
        <source>%1 Its lanes are shown as usual, and changes are not kept.</source>
        <translation>%1 Дорожки показаны как обычно, изменения не сохраняются.</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::AxisBar</name>
    <message>
        <source>Rank order, fastest axis first</source>
        <translation>Порядок рангов, от самой быстрой оси</translation>
    </message>
    <message>
        <source>The order in which ranks run through the axes, fastest first</source>
        <translation>Порядок, в котором ранги пробегают оси, от самой быстрой</translation>
    </message>
    <message>
        <source>Rank order</source>
        <translation>Порядок рангов</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::AxisChip</name>
    <message>
        <source>Size of the focused axis</source>
        <translation>Размер оси в фокусе</translation>
    </message>
    <message>
        <source>Double or halve it</source>
        <translation>Удвоить или уполовинить</translation>
    </message>
    <message>
        <source>Back to 1</source>
        <translation>Вернуть 1</translation>
    </message>
    <message>
        <source>Type it</source>
        <translation>Ввести</translation>
    </message>
    <message>
        <source>%1 parallel size %2</source>
        <translation>%1: размер оси %2</translation>
    </message>
    <message>
        <source>%1 parallel size: %2</source>
        <translation>%1: размер оси, %2</translation>
    </message>
    <message>
        <source>Mend, or Return: </source>
        <translation>Исправить или Return: </translation>
    </message>
    <message>
        <source>Click − or +, or focus and press + − or digits</source>
        <translation>Щёлкните − или + либо нажмите + − или цифры</translation>
    </message>
    <message>
        <source>Mend</source>
        <translation>Исправить</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::Banner</name>
    <message>
        <source>Close this message</source>
        <translation>Закрыть сообщение</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::BatchForm</name>
    <message>
        <source>Batch</source>
        <translation>Батч</translation>
    </message>
    <message>
        <source>Global batch</source>
        <translation>Глобальный батч</translation>
    </message>
    <message>
        <source>Microbatch</source>
        <translation>Микробатч</translation>
    </message>
    <message>
        <source>Sequence</source>
        <translation>Длина</translation>
    </message>
    <message>
        <source>Sequences of one step, over all replicas</source>
        <translation>Последовательностей за шаг по всем репликам</translation>
    </message>
    <message>
        <source>Sequences that pass through the pipeline together</source>
        <translation>Последовательности, которые идут по конвейеру вместе</translation>
    </message>
    <message>
        <source>Tokens of one sequence</source>
        <translation>Токенов в одной последовательности</translation>
    </message>
    <message>
        <source>global batch</source>
        <translation>глобальный батч</translation>
    </message>
    <message>
        <source>microbatch</source>
        <translation>микробатч</translation>
    </message>
    <message>
        <source>sequence length</source>
        <translation>длина последовательности</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::BubbleBars</name>
    <message>
        <source>Bubble by stage</source>
        <translation>Пузырь по стадиям</translation>
    </message>
    <message>
        <source>stage %1: bubble %2, closed form %3</source>
        <translation>стадия %1: пузырь %2, по формуле %3</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>стадия %1</translation>
    </message>
    <message>
        <source>stage %1, percent of the step</source>
        <translation>стадия %1, проценты шага</translation>
    </message>
    <message>
        <source>bubble, over the step without its tail: %1, closed form %2</source>
        <translation>пузырь за шаг без хвоста: %1, по формуле %2</translation>
    </message>
    <message>
        <source>bubble | closed form</source>
        <translation>пузырь | формула</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::BubblePanel</name>
    <message>
        <source>Bubble</source>
        <translation>Пузырь</translation>
    </message>
    <message>
        <source>Percent of the step</source>
        <translation>Проценты шага</translation>
    </message>
    <message>
        <source>Phases of every stage in percent of the step</source>
        <translation>Фазы каждой стадии в процентах шага</translation>
    </message>
    <message>
        <source>Bubble: idle of the step without its tail</source>
        <translation>Пузырь: простой за шаг без хвоста</translation>
    </message>
    <message>
        <source>Bubble of every stage, of the step without its tail</source>
        <translation>Пузырь каждой стадии, от шага без хвоста</translation>
    </message>
    <message>
        <source>What is this?</source>
        <translation>Что это?</translation>
    </message>
    <message>
        <source>No step of this range was kept. Press Home in the timeline to show all steps.</source>
        <translation>Ни один шаг этого участка не сохранён. Нажмите Home на ленте времени, чтобы показать все шаги.</translation>
    </message>
    <message>
        <source>Measured from the first whole step on.</source>
        <translation>Измеряется с первого целого шага.</translation>
    </message>
    <message>
        <source>mean of </source>
        <translation>среднее: </translation>
    </message>
</context>
<context>
    <name>triaxis::ui::CalibrateBox</name>
    <message>
        <source>Progress of the measurement</source>
        <translation>Ход измерения</translation>
    </message>
    <message>
        <source>Stopped. An earlier measurement stays in use.</source>
        <translation>Остановлено. Действует прежнее измерение.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Остановить</translation>
    </message>
    <message>
        <source>Calibrate this machine…</source>
        <translation>Калибровка этого компьютера…</translation>
    </message>
    <message>
        <source>Runs triaxis calibrate: it measures products, operations and messages of this machine for up to four minutes. Leave the machine alone meanwhile.</source>
        <translation>Запускает triaxis calibrate: до четырёх минут измеряет произведения, операции и сообщения этого компьютера. Пока не трогайте его.</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::Calibrator</name>
    <message>
        <source>%1 could not be started; build or install triaxis completely</source>
        <translation>%1 не запускается; соберите или установите triaxis полностью</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>начало</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1 of %2: %3 · %4</source>
        <translation>%1 из %2: %3 · %4</translation>
    </message>
    <message>
        <source>triaxis calibrate did not end well</source>
        <translation>triaxis calibrate завершилась с ошибкой</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::ClusterDialog</name>
    <message>
        <source>Links and mixed nodes · %1</source>
        <translation>Связи и разные узлы · %1</translation>
    </message>
    <message>
        <source>Links of %1, innermost first</source>
        <translation>Связи: %1, от внутренних</translation>
    </message>
    <message>
        <source>double-click a figure, or F2, to change it</source>
        <translation>двойной щелчок по числу или F2 – изменить</translation>
    </message>
    <message>
        <source>Links of the cluster</source>
        <translation>Связи кластера</translation>
    </message>
    <message>
        <source>Nodes with other devices</source>
        <translation>Узлы с другими устройствами</translation>
    </message>
    <message>
        <source>where two entries meet, the later one counts</source>
        <translation>где записи пересекаются, действует более поздняя</translation>
    </message>
    <message>
        <source>Device of these nodes</source>
        <translation>Устройство этих узлов</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Добавить</translation>
    </message>
    <message>
        <source>Remove the selected</source>
        <translation>Убрать выбранное</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Узлы</translation>
    </message>
    <message>
        <source>to</source>
        <translation>до</translation>
    </message>
    <message>
        <source>have</source>
        <translation>имеют</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Узел</translation>
    </message>
    <message>
        <source>All nodes have %1. Name some below that have another device.</source>
        <translation>У всех узлов %1. Ниже можно назвать узлы с другим устройством.</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::ClusterForm</name>
    <message>
        <source>Cluster</source>
        <translation>Кластер</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>Этот компьютер</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Осмотреть снова</translation>
    </message>
    <message>
        <source>Ask triaxis-rank --devices what this machine has</source>
        <translation>Спросить у triaxis-rank --devices, что есть на этом компьютере</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Узлы</translation>
    </message>
    <message>
        <source>GPUs a node</source>
        <translation>GPU на узел</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Устройство</translation>
    </message>
    <message>
        <source>Nodes a rack</source>
        <translation>Узлов в стойке</translation>
    </message>
    <message>
        <source>Links and mixed nodes…</source>
        <translation>Связи и разные узлы…</translation>
    </message>
    <message>
        <source>Bandwidth, latency and every other figure of the links; nodes with other devices</source>
        <translation>Пропускная способность, задержка и все другие числа связей; узлы с другими устройствами</translation>
    </message>
    <message>
        <source>number of nodes</source>
        <translation>число узлов</translation>
    </message>
    <message>
        <source>devices a node</source>
        <translation>устройств на узел</translation>
    </message>
    <message>
        <source>nodes a rack</source>
        <translation>узлов в стойке</translation>
    </message>
    <message>
        <source>device</source>
        <translation>устройство</translation>
    </message>
    <message>
        <source>What this machine has could not be found: </source>
        <translation>Не удалось узнать, что есть на этом компьютере: </translation>
    </message>
    <message>
        <source>cluster</source>
        <translation>кластер</translation>
    </message>
    <message>
        <source>figures of the cluster</source>
        <translation>числа кластера</translation>
    </message>
    <message>
        <source>How many nodes the ranks are drawn as; they all run on this machine</source>
        <translation>На сколько узлов нарисованы ранги; все они работают на этом компьютере</translation>
    </message>
    <message>
        <source>Nodes of %1</source>
        <translation>Узлы, в каждом %1</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::CommunicationPanel</name>
    <message>
        <source>Communication</source>
        <translation>Обмен</translation>
    </message>
    <message>
        <source>Which axis is shown</source>
        <translation>Какая ось показана</translation>
    </message>
    <message>
        <source>Bytes or time</source>
        <translation>Байты или время</translation>
    </message>
    <message>
        <source>What a row stands for</source>
        <translation>Что означает строка</translation>
    </message>
    <message>
        <source>all axes</source>
        <translation>все оси</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>байты</translation>
    </message>
    <message>
        <source>time</source>
        <translation>время</translation>
    </message>
    <message>
        <source>What is this?</source>
        <translation>Что это?</translation>
    </message>
    <message>
        <source>&lt;p&gt;Rows send to columns. Bytes are those of the program, for one step; time is that in which the sender&apos;s transfers moved bytes (without waiting for the partner), the mean over the steps shown.&lt;/p&gt;&lt;p&gt;&lt;b&gt;pipeline&lt;/b&gt; Activations and their gradients between stages. &lt;b&gt;tensor&lt;/b&gt; The sums inside forwards and backwards. &lt;b&gt;data&lt;/b&gt; Gradients of the replicas. &lt;b&gt;norm and loss&lt;/b&gt; Scalars at the end of the step.&lt;/p&gt;&lt;p&gt;Collectives are counted as rings: each rank sends 2(n − 1)/n of the payload to the next of its group, whichever algorithm the library takes.&lt;/p&gt;</source>
        <translation>&lt;p&gt;Строки отправляют столбцам. Байты – по программе, за один шаг; время – то, когда передачи отправителя двигали байты (без ожидания другой стороны), среднее по показанным шагам.&lt;/p&gt;&lt;p&gt;&lt;b&gt;конвейер&lt;/b&gt; Активации и их градиенты между стадиями. &lt;b&gt;тензор&lt;/b&gt; Суммы внутри прямых и обратных проходов. &lt;b&gt;данные&lt;/b&gt; Градиенты реплик. &lt;b&gt;норма и потери&lt;/b&gt; Скаляры в конце шага.&lt;/p&gt;&lt;p&gt;Коллективные операции считаются кольцами: каждый ранг отправляет следующему в группе 2(n − 1)/n данных, какой бы алгоритм ни выбрала библиотека.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>by rank</source>
        <translation>по рангам</translation>
    </message>
    <message>
        <source>by group</source>
        <translation>по группам</translation>
    </message>
    <message>
        <source>by stage</source>
        <translation>по стадиям</translation>
    </message>
    <message>
        <source>by replica</source>
        <translation>по репликам</translation>
    </message>
    <message>
        <source>One rank talks to nobody. Draw a layout with more ranks on the Plan page.</source>
        <translation>Одному рангу не с кем обмениваться. Нарисуйте на странице «План» раскладку, где рангов больше.</translation>
    </message>
    <message>
        <source>Shown for a run with more than one rank.</source>
        <translation>Показывается для запуска более чем с одним рангом.</translation>
    </message>
    <message>
        <source>mean of </source>
        <translation>среднее: </translation>
    </message>
    <message>
        <source>by the program</source>
        <translation>по программе</translation>
    </message>
    <message>
        <source>%1 a step in all. Choose a cell for its pair.</source>
        <translation>Всего %1 за шаг. Выберите клетку, чтобы увидеть пару.</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::ComparisonView</name>
    <message>
        <source>Figures of the compared runs</source>
        <translation>Числа сравниваемых запусков</translation>
    </message>
    <message>
        <source>Settings of the compared runs</source>
        <translation>Настройки сравниваемых запусков</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Настройки</translation>
    </message>
    <message>
        <source>Only differences</source>
        <translation>Только различия</translation>
    </message>
    <message>
        <source>Do they compute the same?</source>
        <translation>Считают ли они одно и то же?</translation>
    </message>
    <message>
        <source>One step of each</source>
        <translation>По одному шагу каждого</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>Числа</translation>
    </message>
    <message>
        <source>median over the steps · change against the first run</source>
        <translation>медиана по шагам · изменение против первого запуска</translation>
    </message>
    <message>
        <source>Losses of the compared runs</source>
        <translation>Потери сравниваемых запусков</translation>
    </message>
    <message>
        <source>Step times of the compared runs</source>
        <translation>Время шагов сравниваемых запусков</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Потери</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>Время шага</translation>
    </message>
    <message>
        <source>aligned at its begin; they zoom together</source>
        <translation>совмещены началом; масштаб общий</translation>
    </message>
    <message>
        <source>The runs cannot be compared</source>
        <translation>Запуски нельзя сравнить</translation>
    </message>
    <message>
        <source>all are the same</source>
        <translation>все одинаковы</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1, шаг %2</translation>
    </message>
    <message>
        <source>Timeline of %1</source>
        <translation>Лента времени: %1</translation>
    </message>
    <message>
        <source>The comparison was not written</source>
        <translation>Сравнение не записано</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>Сравнение</translation>
    </message>
    <message>
        <source>%1 ends at %2</source>
        <translation>%1: в конце %2</translation>
    </message>
    <message>
        <source>%1 takes %2 in the middle</source>
        <translation>%1: в среднем %2</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::CounterStrip</name>
    <message>
        <source>Curves over time</source>
        <translation>Кривые во времени</translation>
    </message>
    <message>
        <source>nothing recorded here</source>
        <translation>здесь ничего не записано</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::DataForm</name>
    <message>
        <source>Data</source>
        <translation>Данные</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Источник</translation>
    </message>
    <message>
        <source>text file</source>
        <translation>текстовый файл</translation>
    </message>
    <message>
        <source>synthetic</source>
        <translation>синтетика</translation>
    </message>
    <message>
        <source>A text file is read as bytes. The synthetic source is random, and its best reachable loss is known and drawn in the loss chart.</source>
        <translation>Текстовый файл читается как байты. Синтетический источник случаен; его достижимый минимум потерь известен и показан на графике потерь.</translation>
    </message>
    <message>
        <source>path of a text file</source>
        <translation>путь к текстовому файлу</translation>
    </message>
    <message>
        <source>Choose a text file</source>
        <translation>Выбор текстового файла</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Файл</translation>
    </message>
    <message>
        <source>batches</source>
        <translation>батчи</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::DaysDialog</name>
    <message>
        <source>From</source>
        <translation>С</translation>
    </message>
    <message>
        <source>Until</source>
        <translation>По</translation>
    </message>
    <message>
        <source>Runs started between two days</source>
        <translation>Запуски между двумя днями</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Показать</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::ExecutionForm</name>
    <message>
        <source>Execution</source>
        <translation>Исполнение</translation>
    </message>
    <message>
        <source>Threads a rank</source>
        <translation>Потоков на ранг</translation>
    </message>
    <message>
        <source>shared out</source>
        <translation>поровну</translation>
    </message>
    <message>
        <source>0: the cores are shared out among the ranks</source>
        <translation>0: ядра делятся между рангами</translation>
    </message>
    <message>
        <source>Hang limit</source>
        <translation>Предел простоя</translation>
    </message>
    <message>
        <source> s</source>
        <translation> с</translation>
    </message>
    <message>
        <source>A run in which nothing moves for so long is ended</source>
        <translation>Запуск, в котором столько времени ничего не движется, завершается</translation>
    </message>
    <message>
        <source>Spans kept</source>
        <translation>Отрезки</translation>
    </message>
    <message>
        <source>every </source>
        <translation>каждый </translation>
    </message>
    <message>
        <source>The first and last steps are kept whole, and every so manyth between</source>
        <translation>Первые и последние шаги хранятся целиком, а между ними – каждый такой по счёту</translation>
    </message>
    <message>
        <source>threads a rank</source>
        <translation>потоков на ранг</translation>
    </message>
    <message>
        <source>hang limit</source>
        <translation>предел простоя</translation>
    </message>
    <message>
        <source>spans kept</source>
        <translation>хранение отрезков</translation>
    </message>
    <message>
        <source>Pace</source>
        <translation>Темп</translation>
    </message>
    <message>
        <source>slots of the plan&apos;s file</source>
        <translation>слоты из файла плана</translation>
    </message>
    <message>
        <source>as fast as the machine goes</source>
        <translation>в полную силу</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::ExportDialog</name>
    <message>
        <source>HTML page</source>
        <translation>Страница HTML</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Экспорт…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Закрыть</translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation>Экспорт: %1</translation>
    </message>
    <message>
        <source>What to export</source>
        <translation>Что сохранить</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Формат</translation>
    </message>
    <message>
        <source>Paper</source>
        <translation>Бумага</translation>
    </message>
    <message>
        <source>A4, landscape</source>
        <translation>A4, альбомная</translation>
    </message>
    <message>
        <source>Letter, landscape</source>
        <translation>Letter, альбомная</translation>
    </message>
    <message>
        <source>Export goes on</source>
        <translation>Идёт экспорт</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>Записано: %1</translation>
    </message>
    <message>
        <source>Cancelled; nothing was written.</source>
        <translation>Отменено; ничего не записано.</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Экспорт</translation>
    </message>
    <message>
        <source>Exporting…</source>
        <translation>Экспорт…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Отмена</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::Exporter</name>
    <message>
        <source>Report (*.html)</source>
        <translation>Отчёт (*.html)</translation>
    </message>
    <message>
        <source>Chrome trace (*.json)</source>
        <translation>Трасса Chrome (*.json)</translation>
    </message>
    <message>
        <source>Spans (*.csv)</source>
        <translation>Отрезки (*.csv)</translation>
    </message>
    <message>
        <source>The run could not be exported</source>
        <translation>Запуск не удалось сохранить</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::FilterBar</name>
    <message>
        <source>Search label, tags, notes, model, layout</source>
        <translation>Поиск: название, метки, заметки, модель, раскладка</translation>
    </message>
    <message>
        <source>Search the history</source>
        <translation>Поиск в истории</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Состояние</translation>
    </message>
    <message>
        <source>Only runs in these states</source>
        <translation>Только запуски в этих состояниях</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Вид</translation>
    </message>
    <message>
        <source>Only measured, paced or imported runs</source>
        <translation>Только измеренные, в заданном темпе или импортированные запуски</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Модель</translation>
    </message>
    <message>
        <source>Only runs of these models</source>
        <translation>Только запуски этих моделей</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>Раскладка</translation>
    </message>
    <message>
        <source>Only runs in these layouts, or of these sizes</source>
        <translation>Только запуски в этих раскладках или таких размеров</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Расписание</translation>
    </message>
    <message>
        <source>Only runs with these schedules</source>
        <translation>Только запуски с этими расписаниями</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>Метка</translation>
    </message>
    <message>
        <source>Only runs with all of these tags</source>
        <translation>Только запуски со всеми этими метками</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>Начат</translation>
    </message>
    <message>
        <source>Only runs of these days</source>
        <translation>Только запуски этих дней</translation>
    </message>
    <message>
        <source>Only runs with a star</source>
        <translation>Только запуски со звездой</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>There are no runs</source>
        <translation>Запусков нет</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Data parallel</source>
        <translation>Параллелизм данных</translation>
    </message>
    <message>
        <source>Tensor parallel</source>
        <translation>Тензорный параллелизм</translation>
    </message>
    <message>
        <source>Pipeline parallel</source>
        <translation>Конвейерный параллелизм</translation>
    </message>
    <message>
        <source>No tags yet: add one in the details of a run</source>
        <translation>Меток ещё нет: добавьте в сведениях о запуске</translation>
    </message>
    <message>
        <source>Take this filter away: %1</source>
        <translation>Убрать этот фильтр: %1</translation>
    </message>
    <message>
        <source>Clear all</source>
        <translation>Сбросить все</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::FloorTools</name>
    <message>
        <source>Brushes of the floor</source>
        <translation>Кисти поля</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::FloorView</name>
    <message>
        <source>Ranks of the cluster</source>
        <translation>Ранги кластера</translation>
    </message>
    <message>
        <source>Select the rank beside</source>
        <translation>Выбрать соседний ранг</translation>
    </message>
    <message>
        <source>Zoom; with a brush: size of its axis</source>
        <translation>Масштаб; с кистью – размер её оси</translation>
    </message>
    <message>
        <source>Swap tool: mark the rank; then swap it with another, or move it to a free device</source>
        <translation>Замена: отметить ранг, затем поменять с другим или перенести на свободное устройство</translation>
    </message>
    <message>
        <source>Give up a gesture, the selection, the brush</source>
        <translation>Бросить жест, выбор, кисть</translation>
    </message>
    <message>
        <source>drag with a brush</source>
        <translation>вести кистью</translation>
    </message>
    <message>
        <source>Draw a group, chain stages, stamp replicas; swap two ranks, or move one to a free device</source>
        <translation>Нарисовать группу, сцепить стадии, оттиснуть реплики; поменять два ранга или перенести один на свободное устройство</translation>
    </message>
    <message>
        <source>Shift+wheel</source>
        <translation>Shift+колесо</translation>
    </message>
    <message>
        <source>Zoom at the pointer, move sideways</source>
        <translation>Масштаб у указателя, сдвиг вбок</translation>
    </message>
    <message>
        <source>middle button</source>
        <translation>средняя кнопка</translation>
    </message>
    <message>
        <source>Space and drag</source>
        <translation>пробел и вести</translation>
    </message>
    <message>
        <source>Move the floor</source>
        <translation>Двигать поле</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>этот компьютер</translation>
    </message>
    <message>
        <source>swap ranks %1 and %2</source>
        <translation>поменять ранги %1 и %2</translation>
    </message>
    <message>
        <source>move the rank to this free device</source>
        <translation>перенести ранг на это свободное устройство</translation>
    </message>
    <message>
        <source>drop on another rank or on a free device</source>
        <translation>отпустите над другим рангом или свободным устройством</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> из %1</translation>
    </message>
    <message>
        <source>no rank here to be moved: drag one here instead</source>
        <translation>здесь нет ранга: перетащите ранг сюда</translation>
    </message>
    <message>
        <source>the cluster has no such device: a rank cannot be moved there</source>
        <translation>в кластере нет такого устройства: ранг туда не перенести</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>отменено</translation>
    </message>
    <message>
        <source>no rank here: mark one first, then move it here</source>
        <translation>здесь нет ранга: сначала отметьте ранг, потом перенесите его сюда</translation>
    </message>
    <message>
        <source>the cluster has no such device</source>
        <translation>в кластере нет такого устройства</translation>
    </message>
    <message>
        <source>rank %1 marked to be swapped</source>
        <translation>ранг %1 отмечен для обмена</translation>
    </message>
    <message>
        <source>rank %1 no longer marked</source>
        <translation>ранг %1 больше не отмечен</translation>
    </message>
    <message>
        <source>%1 %2: drag to stretch</source>
        <translation>%1 %2: ведите, чтобы растянуть</translation>
    </message>
    <message>
        <source>Click to show them one by one</source>
        <translation>Щёлкните, чтобы показать по одному</translation>
    </message>
    <message>
        <source> on </source>
        <translation> на </translation>
    </message>
    <message>
        <source> · %1 unused</source>
        <translation> · не занято: %1</translation>
    </message>
    <message>
        <source> · zoom in for single ones</source>
        <translation> · приблизьте, чтобы видеть по одному</translation>
    </message>
    <message>
        <source>%1 missing: add nodes, or draw a smaller layout</source>
        <translation>Не хватает: %1. Добавьте узлы или нарисуйте раскладку поменьше</translation>
    </message>
    <message>
        <source>wheel</source>
        <translation>колесо</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::FormRow</name>
    <message>
        <source>Mend</source>
        <translation>Исправить</translation>
    </message>
    <message>
        <source>Mend: </source>
        <translation>Исправить: </translation>
    </message>
</context>
<context>
    <name>triaxis::ui::GalleryDialog</name>
    <message>
        <source>Examples</source>
        <translation>Примеры</translation>
    </message>
    <message>
        <source>Begin with a plan</source>
        <translation>Начните с готового плана</translation>
    </message>
    <message>
        <source>it opens as a copy; save it under a name of your own</source>
        <translation>он откроется как копия; сохраните его под своим именем</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::GlossaryDialog</name>
    <message>
        <source>No number is called or defined so.</source>
        <translation>Нет числа с таким названием или определением.</translation>
    </message>
    <message>
        <source>Glossary</source>
        <translation>Глоссарий</translation>
    </message>
    <message>
        <source>Search terms, definitions, units</source>
        <translation>Поиск: названия, определения, единицы</translation>
    </message>
    <message>
        <source>Search the glossary</source>
        <translation>Поиск в глоссарии</translation>
    </message>
    <message>
        <source>Terms</source>
        <translation>Термины</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::HistoryActions</name>
    <message>
        <source>H&amp;istory</source>
        <translation>&amp;История</translation>
    </message>
    <message>
        <source>Lay the %1 selected runs side by side</source>
        <translation>Сопоставить выбранные запуски (%1)</translation>
    </message>
    <message>
        <source>Select several runs with Ctrl or Shift, then compare them</source>
        <translation>Выберите несколько запусков с Ctrl или Shift и сравните их</translation>
    </message>
    <message>
        <source>Take the star away</source>
        <translation>Снять звезду</translation>
    </message>
    <message>
        <source>Give a star</source>
        <translation>Отметить звездой</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Остановка…</translation>
    </message>
    <message>
        <source>Stop the run after its step</source>
        <translation>Остановить запуск после шага</translation>
    </message>
    <message>
        <source>Undo: %1</source>
        <translation>Отменить: %1</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Отменить</translation>
    </message>
    <message>
        <source>Redo: %1</source>
        <translation>Повторить: %1</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Повторить</translation>
    </message>
    <message>
        <source>Watch this run as it goes on</source>
        <translation>Следить за идущим запуском</translation>
    </message>
    <message>
        <source>Open this run</source>
        <translation>Открыть этот запуск</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::HistoryJobs</name>
    <message>
        <source>Another run has its id; it became %1.</source>
        <translation>Такой идентификатор занят другим запуском; теперь это %1.</translation>
    </message>
    <message>
        <source>%1 is here already; nothing was changed.</source>
        <translation>%1 здесь уже есть; ничего не изменено.</translation>
    </message>
    <message>
        <source>%1 was in the trash; it was restored.</source>
        <translation>%1 лежал в корзине и восстановлен.</translation>
    </message>
    <message>
        <source>%1: %2 %</source>
        <translation>%1: %2 %</translation>
    </message>
    <message>
        <source>%1, %2 of %3</source>
        <translation>%1, %2 из %3</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1; %2</translation>
    </message>
    <message>
        <source>Stopped: %1</source>
        <translation>Остановлено: %1</translation>
    </message>
    <message>
        <source>%1 exported</source>
        <translation>Экспортировано: %1</translation>
    </message>
    <message>
        <source>%1 imported</source>
        <translation>Импортировано: %1</translation>
    </message>
    <message>
        <source>Nothing new was imported</source>
        <translation>Ничего нового не импортировано</translation>
    </message>
    <message>
        <source>%1 pruned, %2 freed</source>
        <translation>Прорежено: %1, освобождено %2</translation>
    </message>
    <message>
        <source>Steps, losses, memory and one step of each timeline are still there.</source>
        <translation>Шаги, потери, память и по одному шагу каждой ленты времени сохранены.</translation>
    </message>
    <message>
        <source>The run directories are read</source>
        <translation>Чтение папок запусков</translation>
    </message>
    <message>
        <source>The history was made anew from %1</source>
        <translation>История составлена заново: %1</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::HistoryList</name>
    <message>
        <source>Go to Plan</source>
        <translation>К плану</translation>
    </message>
    <message>
        <source>Import a bundle…</source>
        <translation>Импорт пакета…</translation>
    </message>
    <message>
        <source>Clear search and filters</source>
        <translation>Сбросить поиск и фильтры</translation>
    </message>
    <message>
        <source>Back to all runs</source>
        <translation>Ко всем запускам</translation>
    </message>
    <message>
        <source>%1 of %2 · %3</source>
        <translation>%1 из %2 · %3</translation>
    </message>
    <message>
        <source>No run matches</source>
        <translation>Ничего не найдено</translation>
    </message>
    <message>
        <source>No run within these filters has “%1” in its label, tags, notes, model, layout or schedule.</source>
        <translation>При этих фильтрах «%1» не встречается ни в названии, метках, заметках, модели, раскладке, ни в расписании.</translation>
    </message>
    <message>
        <source>Nothing in labels, tags, notes, models, layouts and schedules contains “%1”.</source>
        <translation>«%1» нет ни в названиях, метках, заметках, моделях, раскладках, ни в расписаниях.</translation>
    </message>
    <message>
        <source>No run meets all of these filters. Take one of them away.</source>
        <translation>Всем этим фильтрам не отвечает ни один запуск. Уберите какой-нибудь из них.</translation>
    </message>
    <message>
        <source>The trash is empty</source>
        <translation>Корзина пуста</translation>
    </message>
    <message>
        <source>Deleted runs lie here until they are deleted for good.</source>
        <translation>Здесь лежат удалённые запуски, пока их не удалят навсегда.</translation>
    </message>
    <message>
        <source>No runs yet</source>
        <translation>Запусков ещё нет</translation>
    </message>
    <message>
        <source>Every run is kept here with its settings, losses and timelines, also those from the command line. Bundles that others hand on can be dropped here.</source>
        <translation>Здесь хранится каждый запуск с настройками, потерями и лентами времени, и из командной строки тоже. Сюда можно перетащить пакеты от других.</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::HistoryModel</name>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>today %1</source>
        <translation>сегодня %1</translation>
    </message>
    <message>
        <source>yesterday %1</source>
        <translation>вчера %1</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>измерено</translation>
    </message>
    <message>
        <source>paced</source>
        <translation>в заданном темпе</translation>
    </message>
    <message>
        <source>imported</source>
        <translation>импорт</translation>
    </message>
    <message>
        <source>Measured by this machine, as fast as it goes</source>
        <translation>Измерено этим компьютером в полную силу</translation>
    </message>
    <message>
        <source>Real work in the time slots of another device and link</source>
        <translation>Настоящая работа в отведённое другому устройству и связи время</translation>
    </message>
    <message>
        <source>Imported from a bundle</source>
        <translation>Импортирован из пакета</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>с %1 по %2</translation>
    </message>
    <message>
        <source>since %1</source>
        <translation>с %1</translation>
    </message>
    <message>
        <source>until %1</source>
        <translation>по %1</translation>
    </message>
    <message>
        <source>At any time</source>
        <translation>За всё время</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Сегодня</translation>
    </message>
    <message>
        <source>In the last 7 days</source>
        <translation>За последние 7 дней</translation>
    </message>
    <message>
        <source>In the last 30 days</source>
        <translation>За последние 30 дней</translation>
    </message>
    <message>
        <source>This year</source>
        <translation>В этом году</translation>
    </message>
    <message>
        <source>Between two days…</source>
        <translation>Между двумя днями…</translation>
    </message>
    <message>
        <source>★ starred</source>
        <translation>★ со звездой</translation>
    </message>
    <message>
        <source>data %1</source>
        <translation>данные %1</translation>
    </message>
    <message>
        <source>tensor %1</source>
        <translation>тензор %1</translation>
    </message>
    <message>
        <source>pipeline %1</source>
        <translation>конвейер %1</translation>
    </message>
    <message>
        <source>Take the star away</source>
        <translation>Снять звезду</translation>
    </message>
    <message>
        <source>Give it a star: it is easy to find, and never pruned</source>
        <translation>Отметить звездой: легко найти, и прореживать его не будут</translation>
    </message>
    <message>
        <source>starred</source>
        <translation>со звездой</translation>
    </message>
    <message>
        <source>no star</source>
        <translation>без звезды</translation>
    </message>
    <message>
        <source>%1, tags: %2</source>
        <translation>%1, метки: %2</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Состояние</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Название</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Модель</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>Раскладка</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Расписание</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Шаги</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Потери</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>Время шага</translation>
    </message>
    <message>
        <source>Tokens / s</source>
        <translation>Токены/с</translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation>Пузырь</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>Пик памяти</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Размер</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Вид</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>Начат</translation>
    </message>
    <message>
        <source>Deleted</source>
        <translation>Удалён</translation>
    </message>
    <message>
        <source>Star</source>
        <translation>Звезда</translation>
    </message>
    <message>
        <source>Click to sort by star</source>
        <translation>Щёлкните, чтобы упорядочить по звезде</translation>
    </message>
    <message>
        <source>Click to sort</source>
        <translation>Щёлкните, чтобы упорядочить</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::HistoryPage</name>
    <message>
        <source>All runs</source>
        <translation>Все запуски</translation>
    </message>
    <message>
        <source>Back to all runs</source>
        <translation>Ко всем запускам</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>Корзина</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>Импорт…</translation>
    </message>
    <message>
        <source>Export bundle…</source>
        <translation>Экспорт пакета…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Удалить</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Сравнить</translation>
    </message>
    <message>
        <source>Show folder</source>
        <translation>Показать папку</translation>
    </message>
    <message>
        <source>Export report…</source>
        <translation>Сохранить отчёт…</translation>
    </message>
    <message>
        <source>Export trace…</source>
        <translation>Сохранить трассу…</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Восстановить</translation>
    </message>
    <message>
        <source>Delete for good…</source>
        <translation>Удалить навсегда…</translation>
    </message>
    <message>
        <source>Empty the trash…</source>
        <translation>Опустошить корзину…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Остановить</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Открыть</translation>
    </message>
    <message>
        <source>One HTML file with settings, figures, timeline and method</source>
        <translation>Один файл HTML с настройками, числами, шкалой времени и методикой</translation>
    </message>
    <message>
        <source>Chrome trace JSON, opens in ui.perfetto.dev</source>
        <translation>Трасса Chrome (JSON), открывается в ui.perfetto.dev</translation>
    </message>
    <message>
        <source>Ask the ranks to end after their step; what they have measured is kept</source>
        <translation>Попросить ранги закончить после шага; измеренное сохранится</translation>
    </message>
    <message>
        <source>One file with all of a run, for another machine or a colleague</source>
        <translation>Весь запуск в одном файле – для другого компьютера или коллеги</translation>
    </message>
    <message>
        <source>Exported %1</source>
        <translation>Сохранено: %1</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>Сравнение</translation>
    </message>
    <message>
        <source>reading the runs …</source>
        <translation>чтение запусков …</translation>
    </message>
    <message>
        <source>History</source>
        <translation>История</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Остановка…</translation>
    </message>
    <message>
        <source>The history is made anew …</source>
        <translation>История составляется заново …</translation>
    </message>
    <message>
        <source>All run directories are read; runs and notes stay as they are.</source>
        <translation>Читаются все папки запусков; запуски и заметки остаются как есть.</translation>
    </message>
    <message>
        <source>%1 moved to the trash</source>
        <translation>Перемещено в корзину: %1</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Отменить</translation>
    </message>
    <message>
        <source>%1 restored</source>
        <translation>Восстановлено: %1</translation>
    </message>
    <message>
        <source>%1 deleted for good</source>
        <translation>Удалено навсегда: %1</translation>
    </message>
    <message>
        <source>%1 are free again</source>
        <translation>Снова свободно %1</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Отмена</translation>
    </message>
    <message>
        <source>The run cannot be stopped</source>
        <translation>Запуск нельзя остановить</translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation>Удалить навсегда</translation>
    </message>
    <message>
        <source>Delete %1 for good?</source>
        <translation>Удалить навсегда: %1?</translation>
    </message>
    <message>
        <source>Their records, losses, timelines and notes are gone then; nothing brings them back.</source>
        <translation>Записи, потери, ленты времени и заметки пропадут безвозвратно.</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Экспорт</translation>
    </message>
    <message>
        <source>HTML page (*.html);;Figures (*.csv)</source>
        <translation>Страница HTML (*.html);;Числа (*.csv)</translation>
    </message>
    <message>
        <source>Exporting %1…</source>
        <translation>Экспорт %1…</translation>
    </message>
    <message>
        <source>Export bundle</source>
        <translation>Экспорт пакета</translation>
    </message>
    <message>
        <source>Bundle of a run (*.triaxis-run)</source>
        <translation>Пакет запуска (*.triaxis-run)</translation>
    </message>
    <message>
        <source>Export %1 into a folder</source>
        <translation>Экспорт в папку: %1</translation>
    </message>
    <message>
        <source>Import bundles</source>
        <translation>Импорт пакетов</translation>
    </message>
    <message>
        <source>Bundles of runs (*.triaxis-run);;All files (*)</source>
        <translation>Пакеты запусков (*.triaxis-run);;Все файлы (*)</translation>
    </message>
    <message>
        <source>Something else is under way</source>
        <translation>Идёт другое действие</translation>
    </message>
    <message>
        <source>Wait for its end, then import again.</source>
        <translation>Дождитесь его конца и повторите импорт.</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::HistoryTable</name>
    <message>
        <source>Stored runs</source>
        <translation>Сохранённые запуски</translation>
    </message>
    <message>
        <source>Columns of the stored runs</source>
        <translation>Столбцы сохранённых запусков</translation>
    </message>
    <message>
        <source>Star</source>
        <translation>Звезда</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::KeySheet</name>
    <message>
        <source>Keyboard</source>
        <translation>Клавиатура</translation>
    </message>
    <message>
        <source>Change shortcuts…</source>
        <translation>Изменить сочетания…</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::LaneView</name>
    <message>
        <source>Spans appear when the first step is done</source>
        <translation>Отрезки появятся, когда закончится первый шаг</translation>
    </message>
    <message>
        <source>Timeline of all ranks</source>
        <translation>Лента времени всех рангов</translation>
    </message>
    <message>
        <source>Shift+wheel</source>
        <translation>Shift+колесо</translation>
    </message>
    <message>
        <source>Zoom at the pointer, pan</source>
        <translation>Масштаб у указателя, сдвиг</translation>
    </message>
    <message>
        <source>middle button</source>
        <translation>средняя кнопка</translation>
    </message>
    <message>
        <source>Pan</source>
        <translation>Сдвиг</translation>
    </message>
    <message>
        <source>Mark and measure a range</source>
        <translation>Отметить и измерить участок</translation>
    </message>
    <message>
        <source>drag on the time axis</source>
        <translation>вести по оси времени</translation>
    </message>
    <message>
        <source>Look at a moment</source>
        <translation>Смотреть момент</translation>
    </message>
    <message>
        <source>double click</source>
        <translation>двойной щелчок</translation>
    </message>
    <message>
        <source>Zoom to the span</source>
        <translation>Приблизить отрезок</translation>
    </message>
    <message>
        <source>click a name</source>
        <translation>щелчок по имени</translation>
    </message>
    <message>
        <source>Go to the lane; collapse or open a group</source>
        <translation>К дорожке; свернуть или раскрыть группу</translation>
    </message>
    <message>
        <source>right button</source>
        <translation>правая кнопка</translation>
    </message>
    <message>
        <source>Menu of the lane</source>
        <translation>Меню дорожки</translation>
    </message>
    <message>
        <source>drag the edge of the names</source>
        <translation>тянуть край имён</translation>
    </message>
    <message>
        <source>Their width</source>
        <translation>Их ширина</translation>
    </message>
    <message>
        <source>All lanes are hidden. Show all lanes: %1</source>
        <translation>Все дорожки скрыты. Показать все: %1</translation>
    </message>
    <message>
        <source>Every predicted step as long as the measured one, to compare shape and bubble; else both by the clock</source>
        <translation>Каждый предсказанный шаг так же длинен, как измеренный, чтобы сравнить форму и пузырь; иначе оба по часам</translation>
    </message>
    <message>
        <source>By </source>
        <translation>По: </translation>
    </message>
    <message>
        <source>By rank, without groups</source>
        <translation>По рангам, без групп</translation>
    </message>
    <message>
        <source>By what is done</source>
        <translation>По тому, что делается</translation>
    </message>
    <message>
        <source>Only this %1</source>
        <translation>Только: %1</translation>
    </message>
    <message>
        <source>Show only %1</source>
        <translation>Показать только: %1</translation>
    </message>
    <message>
        <source>%1 — rank %2</source>
        <translation>%1 — ранг %2</translation>
    </message>
    <message>
        <source>mark</source>
        <translation>отметка</translation>
    </message>
    <message>
        <source> · all ranks</source>
        <translation> · все ранги</translation>
    </message>
    <message>
        <source> · sum </source>
        <translation> · сумма </translation>
    </message>
    <message>
        <source>
predicted %1, began %2</source>
        <translation>
прогноз %1, начало %2</translation>
    </message>
    <message>
        <source>predicted: </source>
        <translation>прогноз: </translation>
    </message>
    <message>
        <source>
not measured</source>
        <translation>
не измерено</translation>
    </message>
    <message>
        <source>
measured %1, began %2</source>
        <translation>
измерено %1, начало %2</translation>
    </message>
    <message>
        <source>wheel</source>
        <translation>колесо</translation>
    </message>
    <message>
        <source>drag</source>
        <translation>вести</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::LayerBar</name>
    <message>
        <source>Layers per stage</source>
        <translation>Слои по стадиям</translation>
    </message>
    <message>
        <source>Layer bar: choose a divider</source>
        <translation>Полоса слоёв: выбрать границу</translation>
    </message>
    <message>
        <source>Layer bar: move it</source>
        <translation>Полоса слоёв: сдвинуть её</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>стадия %1</translation>
    </message>
    <message>
        <source>, virtual stage %1</source>
        <translation>, виртуальная стадия %1</translation>
    </message>
    <message>
        <source>
Drag a divider to move layers, or press Shift with Left or Right</source>
        <translation>
Тяните границу, чтобы перенести слои, или Shift со стрелкой влево или вправо</translation>
    </message>
    <message>
        <source> + embedding</source>
        <translation> + эмбеддинг</translation>
    </message>
    <message>
        <source> + head</source>
        <translation> + голова</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::LayerPanel</name>
    <message>
        <source>Mend</source>
        <translation>Исправить</translation>
    </message>
    <message>
        <source>Chunk whose layers are shown</source>
        <translation>Чанк, слои которого показаны</translation>
    </message>
    <message>
        <source>Layers per virtual stage</source>
        <translation>Слои по виртуальным стадиям</translation>
    </message>
    <message>
        <source>Layers per stage</source>
        <translation>Слои по стадиям</translation>
    </message>
    <message>
        <source>Layers are shared out once the layout can hold them</source>
        <translation>Слои распределятся, когда раскладка сможет их вместить</translation>
    </message>
    <message>
        <source>all chunks together</source>
        <translation>все чанки вместе</translation>
    </message>
    <message>
        <source>chunk %1 of %2</source>
        <translation>чанк %1 из %2</translation>
    </message>
    <message>
        <source>%1 of the slowest stage&apos;s time</source>
        <translation>%1 времени самой медленной стадии</translation>
    </message>
    <message>
        <source>%1 a microbatch, </source>
        <translation>%1 на микробатч, </translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> из %1</translation>
    </message>
    <message>
        <source>&lt;span style=&apos;color:%1&apos;&gt;&amp;#9644;&lt;/span&gt; time of a microbatch &amp;nbsp; &lt;span style=&apos;color:%2&apos;&gt;&amp;#9644;&lt;/span&gt; memory</source>
        <translation>&lt;span style=&apos;color:%1&apos;&gt;&amp;#9644;&lt;/span&gt; время микробатча &amp;nbsp; &lt;span style=&apos;color:%2&apos;&gt;&amp;#9644;&lt;/span&gt; память</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::LegendBar</name>
    <message>
        <source>Colours: </source>
        <translation>Цвета: </translation>
    </message>
</context>
<context>
    <name>triaxis::ui::LinkModel</name>
    <message>
        <source>Link</source>
        <translation>Связь</translation>
    </message>
    <message>
        <source>What the link is called; the innermost first</source>
        <translation>Как называется связь; сначала внутренняя</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Устройства</translation>
    </message>
    <message>
        <source>Devices that the level joins</source>
        <translation>Устройства, которые соединяет уровень</translation>
    </message>
    <message>
        <source>Share a port</source>
        <translation>На порт</translation>
    </message>
    <message>
        <source>Devices that share one port</source>
        <translation>Устройства, делящие один порт</translation>
    </message>
    <message>
        <source>Switch adds</source>
        <translation>Сумма в коммутаторе</translation>
    </message>
    <message>
        <source>The switch itself adds up all-reduces (NVLS, SHARP)</source>
        <translation>Коммутатор сам складывает all-reduce (NVLS, SHARP)</translation>
    </message>
    <message>
        <source>%1: a number from %2 to %3.</source>
        <translation>%1: число от %2 до %3.</translation>
    </message>
    <message>
        <source>A link needs a name.</source>
        <translation>Связи нужно имя.</translation>
    </message>
    <message>
        <source>Share a port: 1 to 1024 devices.</source>
        <translation>На порт: от 1 до 1024 устройств.</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::LogPanel</name>
    <message>
        <source>Log</source>
        <translation>Журнал</translation>
    </message>
    <message>
        <source>problems only</source>
        <translation>только неполадки</translation>
    </message>
    <message>
        <source>Ranks shown in the log</source>
        <translation>Ранги, показанные в журнале</translation>
    </message>
    <message>
        <source>all ranks</source>
        <translation>все ранги</translation>
    </message>
    <message>
        <source>launcher</source>
        <translation>запуск</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>ранг %1</translation>
    </message>
    <message>
        <source>problems only (%1)</source>
        <translation>только неполадки (%1)</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::LossChart</name>
    <message>
        <source>step</source>
        <translation>шаг</translation>
    </message>
    <message>
        <source>best reachable</source>
        <translation>достижимый минимум</translation>
    </message>
    <message>
        <source>nats per token</source>
        <translation>нат на токен</translation>
    </message>
    <message>
        <source>Loss in %1</source>
        <translation>Потери, %1</translation>
    </message>
    <message>
        <source>step %1: %2</source>
        <translation>шаг %1: %2</translation>
    </message>
    <message>
        <source>step %1: %2 %3</source>
        <translation>шаг %1: %2 %3</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::LossPanel</name>
    <message>
        <source>Loss</source>
        <translation>Потери</translation>
    </message>
    <message>
        <source>nats per token</source>
        <translation>нат на токен</translation>
    </message>
    <message>
        <source>Measured from the first step on.</source>
        <translation>Измеряется с первого шага.</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::MachineFinder</name>
    <message>
        <source>%1 could not be started; build or install triaxis completely</source>
        <translation>%1 не запускается; соберите или установите triaxis полностью</translation>
    </message>
    <message>
        <source>%1 --devices did not answer</source>
        <translation>%1 --devices не отвечает</translation>
    </message>
    <message>
        <source>%1 --devices did not end well</source>
        <translation>%1 --devices завершилась с ошибкой</translation>
    </message>
    <message>
        <source>%1 --devices did not say what this machine has</source>
        <translation>%1 --devices не сообщила, что есть на этом компьютере</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::MainWindow</name>
    <message>
        <source>Plan</source>
        <translation>План</translation>
    </message>
    <message>
        <source>Draw the layout of a run (Ctrl+1)</source>
        <translation>Нарисовать раскладку запуска (Ctrl+1)</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Запуск</translation>
    </message>
    <message>
        <source>Watch the run that goes on (Ctrl+2)</source>
        <translation>Следить за идущим запуском (Ctrl+2)</translation>
    </message>
    <message>
        <source>History</source>
        <translation>История</translation>
    </message>
    <message>
        <source>All stored runs (Ctrl+3)</source>
        <translation>Все сохранённые запуски (Ctrl+3)</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Настройки</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Вид</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Справка</translation>
    </message>
    <message>
        <source>Draw</source>
        <translation>Рисование</translation>
    </message>
    <message>
        <source>Each box is a rank, a process that trains its part of the model. Set how many work as data, tensor and pipeline ranks above the floor, or draw the groups with the tools at its left.</source>
        <translation>Каждая клетка – ранг: процесс, обучающий свою часть модели. Над полем задайте, сколько рангов в осях данных, тензора и конвейера, или нарисуйте группы инструментами слева.</translation>
    </message>
    <message>
        <source>Predict</source>
        <translation>Прогноз</translation>
    </message>
    <message>
        <source>With every change these figures tell what a step would take: time, bubble, communication and memory. The arrows show what the change did. The Glossary in the Help menu defines each number.</source>
        <translation>При каждой правке эти числа говорят, чего стоил бы шаг: время, пузырь, обмен и память. Стрелки показывают, что дала правка. Глоссарий в меню «Справка» определяет каждое число.</translation>
    </message>
    <message>
        <source>Run trains the plan for real, through MPI on this machine. The Run page shows every span of every rank while it goes on, beside what was predicted.</source>
        <translation>«Запустить» обучает план по-настоящему, через MPI на этом компьютере. Страница «Запуск» показывает каждый отрезок каждого ранга по ходу дела рядом с прогнозом.</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Сравнить</translation>
    </message>
    <message>
        <source>Every run is kept here. Select two or more and press Compare. Sweep layouts in the Plan menu runs a whole list, one after the other, and draws how they scale.</source>
        <translation>Здесь хранится каждый запуск. Выберите два или больше и нажмите «Сравнить». «Перебор раскладок» в меню «План» запускает целый список по очереди и рисует, как они масштабируются.</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::MarkMenu</name>
    <message>
        <source>Mark</source>
        <translation>Отметка</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Заметка</translation>
    </message>
    <message>
        <source>mark</source>
        <translation>отметка</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Go there</source>
        <translation>Перейти</translation>
    </message>
    <message>
        <source>Edit the note…</source>
        <translation>Изменить заметку…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Убрать</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::MarkStore</name>
    <message>
        <source>%1. The file is left as it is; marks can be added once it has been mended or moved away.</source>
        <translation>%1. Файл оставлен как есть; отметки можно будет ставить, когда его исправят или уберут.</translation>
    </message>
    <message>
        <source>Marks are kept with a run: open one first.</source>
        <translation>Отметки хранятся при запуске: сначала откройте его.</translation>
    </message>
    <message>
        <source>The marks of this run cannot be changed: its marks.json could not be read. Mend it or move it away.</source>
        <translation>Отметки этого запуска менять нельзя: его marks.json не читается. Исправьте файл или уберите его.</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::MemoryBar</name>
    <message>
        <source>Memory of this rank</source>
        <translation>Память этого ранга</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::MemoryCurves</name>
    <message>
        <source>Memory of the selected rank over time</source>
        <translation>Память выбранного ранга во времени</translation>
    </message>
    <message>
        <source>peak %1</source>
        <translation>пик %1</translation>
    </message>
    <message>
        <source>peak %1 of %2</source>
        <translation>пик %1 из %2</translation>
    </message>
    <message>
        <source>until %1: %2 at once</source>
        <translation>до %1: %2 сразу</translation>
    </message>
    <message>
        <source>No memory samples yet</source>
        <translation>Замеров памяти ещё нет</translation>
    </message>
    <message>
        <source>capacity</source>
        <translation>ёмкость</translation>
    </message>
    <message>
        <source>predicted peak</source>
        <translation>предсказанный пик</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::MemoryGrid</name>
    <message>
        <source>Memory of every rank</source>
        <translation>Память каждого ранга</translation>
    </message>
    <message>
        <source>Cells of memory and traffic: choose another</source>
        <translation>Клетки памяти и обмена: выбрать другую</translation>
    </message>
    <message>
        <source>Cells: choose none</source>
        <translation>Клетки: снять выбор</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>ранг %1</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::MemoryPanel</name>
    <message>
        <source>Memory</source>
        <translation>Память</translation>
    </message>
    <message>
        <source>Which memory is shown</source>
        <translation>Какая память показана</translation>
    </message>
    <message>
        <source>Peak of what the timeline shows, of the run, or a moment</source>
        <translation>Пик показанного на ленте, всего запуска или момент</translation>
    </message>
    <message>
        <source>all uses</source>
        <translation>все виды</translation>
    </message>
    <message>
        <source>peak in range</source>
        <translation>пик на участке</translation>
    </message>
    <message>
        <source>peak of the run</source>
        <translation>пик запуска</translation>
    </message>
    <message>
        <source>at a moment</source>
        <translation>в момент</translation>
    </message>
    <message>
        <source>Moment shown, step by step</source>
        <translation>Показанный момент, шаг за шагом</translation>
    </message>
    <message>
        <source>What is this?</source>
        <translation>Что это?</translation>
    </message>
    <message>
        <source>&lt;p&gt;Bytes that each rank had allocated, as its own allocator counts them: at the peak of the steps that the timeline shows, of the whole run, or at a moment. A rank reports once a step; a moment then shows the most that its step needed, each use at its own peak, so that the uses together may exceed what was taken at once (the line over the curves).&lt;/p&gt;&lt;p&gt;The moment is the cursor of the timeline: move the slider, click into the curves, or set it in the timeline. Colours of moments are on the scale of the peak.&lt;/p&gt;</source>
        <translation>&lt;p&gt;Байты, занятые каждым рангом, по счёту его распределителя: на пике показанных шагов, всего запуска или в момент. Ранг сообщает раз в шаг; тогда момент показывает наибольшее за шаг, каждый вид на своём пике, и вместе они могут превысить занятое одновременно (линия над кривыми).&lt;/p&gt;&lt;p&gt;Момент – это курсор ленты времени: двигайте ползунок, щёлкните по кривым или задайте его на ленте. Цвета моментов – в шкале пика.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>Measured at the end of the first step.</source>
        <translation>Измеряется в конце первого шага.</translation>
    </message>
    <message>
        <source>peak of all steps</source>
        <translation>пик всех шагов</translation>
    </message>
    <message>
        <source>peak within </source>
        <translation>пик за </translation>
    </message>
    <message>
        <source>at %1</source>
        <translation>в %1</translation>
    </message>
    <message>
        <source>most within step %1</source>
        <translation>наибольшее за шаг %1</translation>
    </message>
    <message>
        <source> · old steps thinned out</source>
        <translation> · старые шаги прорежены</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>шаг %1</translation>
    </message>
    <message>
        <source>rank %1 over time</source>
        <translation>ранг %1 во времени</translation>
    </message>
    <message>
        <source>rank %1, the fullest, over time. Choose another cell for its rank.</source>
        <translation>ранг %1, самый полный, во времени. Для другого ранга выберите его клетку.</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::Minimap</name>
    <message>
        <source>Map of the whole run; arrow keys move the visible part</source>
        <translation>Карта всего запуска; стрелки двигают видимую часть</translation>
    </message>
    <message>
        <source>The whole run: what share of the ranks does what. Drag the frame to move it, its edges to zoom.</source>
        <translation>Весь запуск: какая доля рангов чем занята. Тяните рамку, чтобы двигать, её края – чтобы менять масштаб.</translation>
    </message>
    <message>
        <source>drag in the map</source>
        <translation>вести по карте</translation>
    </message>
    <message>
        <source>Move the window there</source>
        <translation>Переместить туда окно</translation>
    </message>
    <message>
        <source>In the map: move, zoom, show all</source>
        <translation>На карте: сдвиг, масштаб, показать всё</translation>
    </message>
    <message>
        <source>whole run</source>
        <translation>весь запуск</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::ModelForm</name>
    <message>
        <source>Model</source>
        <translation>Модель</translation>
    </message>
    <message>
        <source>%1: predicted, not trained
%2</source>
        <translation>%1: только прогноз, без обучения
%2</translation>
    </message>
    <message>
        <source>Open config.json…</source>
        <translation>Открыть config.json…</translation>
    </message>
    <message>
        <source>Open a model configuration</source>
        <translation>Открыть конфигурацию модели</translation>
    </message>
    <message>
        <source>Hugging Face configuration (config.json *.json)</source>
        <translation>Конфигурация Hugging Face (config.json *.json)</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::NavigationRail</name>
    <message>
        <source>Pages</source>
        <translation>Страницы</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::NoticeCard</name>
    <message>
        <source>Mend</source>
        <translation>Исправить</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::OptimizerForm</name>
    <message>
        <source>Optimizer (AdamW)</source>
        <translation>Оптимизатор (AdamW)</translation>
    </message>
    <message>
        <source>Warm-up steps</source>
        <translation>Шагов разогрева</translation>
    </message>
    <message>
        <source>warm-up</source>
        <translation>разогрев</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>Затухание весов</translation>
    </message>
    <message>
        <source>Clip norm</source>
        <translation>Предел нормы</translation>
    </message>
    <message>
        <source>Beta 1</source>
        <translation>Бета 1</translation>
    </message>
    <message>
        <source>Beta 2</source>
        <translation>Бета 2</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>Эпсилон</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::PanelTabs</name>
    <message>
        <source>Show in a window of its own</source>
        <translation>Показать в отдельном окне</translation>
    </message>
    <message>
        <source>Figures of the run</source>
        <translation>Числа запуска</translation>
    </message>
    <message>
        <source>Which figures are shown</source>
        <translation>Какие числа показаны</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>Показать: %1</translation>
    </message>
    <message>
        <source>Show figures in a window of their own</source>
        <translation>Показать числа в отдельном окне</translation>
    </message>
    <message>
        <source>Bring %1 back</source>
        <translation>Вернуть: %1</translation>
    </message>
    <message>
        <source>Bring it back from its window (Alt+0)</source>
        <translation>Вернуть из отдельного окна (Alt+0)</translation>
    </message>
    <message>
        <source>Show in a window of its own (Alt+0)</source>
        <translation>Показать в отдельном окне (Alt+0)</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::PipelineForm</name>
    <message>
        <source>Pipeline</source>
        <translation>Конвейер</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Расписание</translation>
    </message>
    <message>
        <source>Chunks</source>
        <translation>Чанки</translation>
    </message>
    <message>
        <source>Pieces of the model that every stage holds (virtual stages)</source>
        <translation>Части модели у каждой стадии (виртуальные стадии)</translation>
    </message>
    <message>
        <source>Open a CSV…</source>
        <translation>Открыть CSV…</translation>
    </message>
    <message>
        <source>Open a schedule</source>
        <translation>Открыть расписание</translation>
    </message>
    <message>
        <source>Schedules, one row a stage (*.csv)</source>
        <translation>Расписания, строка на стадию (*.csv)</translation>
    </message>
    <message>
        <source>An order is searched for plans that can run here</source>
        <translation>Порядок ищется для планов, которые можно запустить здесь</translation>
    </message>
    <message>
        <source>Choose this machine as the cluster, and mend what is wrong.</source>
        <translation>Выберите кластером этот компьютер и исправьте ошибки.</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::PlanActions</name>
    <message>
        <source>Other links, devices or replicas, without changing the plan</source>
        <translation>Другие связи, устройства или реплики, не меняя плана</translation>
    </message>
    <message>
        <source>Stop the calibration</source>
        <translation>Остановить калибровку</translation>
    </message>
    <message>
        <source>Calibrate this machine…</source>
        <translation>Калибровка этого компьютера…</translation>
    </message>
    <message>
        <source>An earlier measurement stays in use</source>
        <translation>Действует прежнее измерение</translation>
    </message>
    <message>
        <source>Measure this machine, for up to 4 minutes, so that runs here are predicted; again after a change of it</source>
        <translation>Измерить этот компьютер (до 4 минут), чтобы предсказывать запуски на нём; снова – после его изменения</translation>
    </message>
    <message>
        <source>Undo: </source>
        <translation>Отменить: </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Отменить</translation>
    </message>
    <message>
        <source>Redo: </source>
        <translation>Повторить: </translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Повторить</translation>
    </message>
    <message>
        <source>Search all layouts of this job</source>
        <translation>Поиск по всем раскладкам этой задачи</translation>
    </message>
    <message>
        <source>Choose a cluster first: layouts are searched by what they take on it</source>
        <translation>Сначала выберите кластер: раскладки ищутся по тому, чего они на нём стоят</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Запуск…</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Запустить</translation>
    </message>
    <message>
        <source>Train this plan for real, through MPI</source>
        <translation>Обучать по этому плану по-настоящему, через MPI</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::PlanFiles</name>
    <message>
        <source>The window ended before it was saved. Save it with Ctrl+S.</source>
        <translation>Окно закрылось раньше, чем план сохранили. Сохраните его: Ctrl+S.</translation>
    </message>
    <message>
        <source>Other unsaved plans: %1. Each comes back when Triaxis is started once more.</source>
        <translation>Другие несохранённые планы: %1. Каждый вернётся при следующем запуске Triaxis.</translation>
    </message>
    <message>
        <source>%1 is as you left it</source>
        <translation>%1: как вы его оставили</translation>
    </message>
    <message>
        <source>Begin with one of the examples</source>
        <translation>Начать с одного из примеров</translation>
    </message>
    <message>
        <source>unnamed plan</source>
        <translation>план без имени</translation>
    </message>
    <message>
        <source>%1 holds more than this version reads</source>
        <translation>В %1 есть то, чего эта версия не читает</translation>
    </message>
    <message>
        <source>Open a plan</source>
        <translation>Открыть план</translation>
    </message>
    <message>
        <source>Save the plan</source>
        <translation>Сохранить план</translation>
    </message>
    <message>
        <source>Plans (*.triaxis)</source>
        <translation>Планы (*.triaxis)</translation>
    </message>
    <message>
        <source>Unsaved plan</source>
        <translation>Несохранённый план</translation>
    </message>
    <message>
        <source>Save the changes to %1?</source>
        <translation>Сохранить изменения: %1?</translation>
    </message>
    <message>
        <source>They are lost otherwise.</source>
        <translation>Иначе они пропадут.</translation>
    </message>
    <message>
        <source>No plan was saved yet</source>
        <translation>Планов ещё не сохраняли</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Недавние</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::PlanHeader</name>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::PlanPage</name>
    <message>
        <source>This machine is being measured</source>
        <translation>Измеряется этот компьютер</translation>
    </message>
    <message>
        <source>This machine could not be measured</source>
        <translation>Этот компьютер измерить не удалось</translation>
    </message>
    <message>
        <source>The calibration was stopped</source>
        <translation>Калибровка остановлена</translation>
    </message>
    <message>
        <source>An earlier measurement stays in use.</source>
        <translation>Действует прежнее измерение.</translation>
    </message>
    <message>
        <source>Measuring this machine</source>
        <translation>Измерение этого компьютера</translation>
    </message>
    <message>
        <source>. Leave the machine alone meanwhile.</source>
        <translation>. Пока не трогайте компьютер.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Остановить</translation>
    </message>
    <message>
        <source>This machine is measured</source>
        <translation>Этот компьютер измерен</translation>
    </message>
    <message>
        <source>Plans on it are predicted from now on.</source>
        <translation>Планы на нём теперь предсказываются.</translation>
    </message>
    <message>
        <source>layout that was found</source>
        <translation>найденная раскладка</translation>
    </message>
    <message>
        <source>Settings of the plan</source>
        <translation>Настройки плана</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::PredictedStepPanel</name>
    <message>
        <source>one pipeline stands for all</source>
        <translation>один конвейер показан за все</translation>
    </message>
    <message>
        <source> · critical path %1, %2 of it compute</source>
        <translation> · критический путь %1, из него вычисления %2</translation>
    </message>
    <message>
        <source>Stop the calibration</source>
        <translation>Остановить калибровку</translation>
    </message>
    <message>
        <source>Calibrate…</source>
        <translation>Калибровка…</translation>
    </message>
    <message>
        <source>The step is predicted once what is listed under &quot;What to look at&quot; is mended</source>
        <translation>Шаг будет предсказан, когда исправлено то, что перечислено в «На что обратить внимание»</translation>
    </message>
    <message>
        <source>Timeline of the predicted step</source>
        <translation>Лента времени предсказанного шага</translation>
    </message>
    <message>
        <source>Idle share of each stage, predicted | closed form</source>
        <translation>Доля простоя каждой стадии: прогноз | замкнутая формула</translation>
    </message>
    <message>
        <source>Measure this machine once, so that runs here can be predicted</source>
        <translation>Измерьте этот компьютер один раз, чтобы предсказывать запуски на нём</translation>
    </message>
    <message>
        <source>Zoom out (S)</source>
        <translation>Отдалить (S)</translation>
    </message>
    <message>
        <source>Zoom in (W)</source>
        <translation>Приблизить (W)</translation>
    </message>
    <message>
        <source>Show the whole step (Home)</source>
        <translation>Показать весь шаг (Home)</translation>
    </message>
    <message>
        <source>being worked out</source>
        <translation>вычисляется</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::PredictionPanel</name>
    <message>
        <source>Prediction</source>
        <translation>Прогноз</translation>
    </message>
    <message>
        <source>Step time and bubble, predicted and measured</source>
        <translation>Время шага и пузырь: прогноз и измерение</translation>
    </message>
    <message>
        <source>Error by kind</source>
        <translation>Ошибка по видам</translation>
    </message>
    <message>
        <source>Error of the prediction by kind of instruction</source>
        <translation>Ошибка прогноза по видам инструкций</translation>
    </message>
    <message>
        <source>Error by rank</source>
        <translation>Ошибка по рангам</translation>
    </message>
    <message>
        <source>Error of the prediction by rank</source>
        <translation>Ошибка прогноза по рангам</translation>
    </message>
    <message>
        <source>Peak memory by rank</source>
        <translation>Пик памяти по рангам</translation>
    </message>
    <message>
        <source>Predicted and measured peak memory by rank</source>
        <translation>Пик памяти по рангам: прогноз и измерение</translation>
    </message>
    <message>
        <source>Peak memory by use</source>
        <translation>Пик памяти по видам</translation>
    </message>
    <message>
        <source>Predicted and measured peak memory by use</source>
        <translation>Пик памяти по видам: прогноз и измерение</translation>
    </message>
    <message>
        <source>error = predicted ÷ measured − 1: + predicted too long, − too short</source>
        <translation>ошибка = прогноз ÷ измерение − 1: + прогноз длиннее, − короче</translation>
    </message>
    <message>
        <source>What is this?</source>
        <translation>Что это?</translation>
    </message>
    <message>
        <source>&lt;p&gt;The run&apos;s program, played with what its instructions cost on this machine, or with the slots of a paced run. Every predicted span has the instruction of a measured one; both are joined by rank, instruction and step.&lt;/p&gt;&lt;p&gt;&lt;b&gt;median&lt;/b&gt; and &lt;b&gt;worst&lt;/b&gt; are errors of single spans: predicted over measured − 1, above 0 where the prediction is too long. Transfers are compared without waiting.&lt;/p&gt;</source>
        <translation>&lt;p&gt;Программа запуска, проигранная с тем, чего её инструкции стоят на этом компьютере, или со слотами заданного темпа. У каждого предсказанного отрезка инструкция измеренного; они соединены по рангу, инструкции и шагу.&lt;/p&gt;&lt;p&gt;&lt;b&gt;медиана&lt;/b&gt; и &lt;b&gt;худшее&lt;/b&gt; – ошибки отдельных отрезков: прогноз ÷ измерение − 1, выше 0, где прогноз длиннее. Передачи сравниваются без ожидания.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>Predicting…</source>
        <translation>Прогноз готовится…</translation>
    </message>
    <message>
        <source>Shown for a run.</source>
        <translation>Показывается для запуска.</translation>
    </message>
    <message>
        <source>No prediction. %1. To get one, %2.</source>
        <translation>Прогноза нет. %1. Чтобы получить его: %2.</translation>
    </message>
    <message>
        <source>Compared from the first whole step on.</source>
        <translation>Сравнивается с первого целого шага.</translation>
    </message>
    <message>
        <source>Without a calibration of this machine only slots and links are known: what the machine itself takes is missing.</source>
        <translation>Без калибровки этого компьютера известны только слоты и связи: собственных затрат компьютера нет.</translation>
    </message>
    <message>
        <source>from </source>
        <translation>по: </translation>
    </message>
    <message>
        <source>%1 · from %2</source>
        <translation>%1 · по: %2</translation>
    </message>
    <message>
        <source> · %1 without a twin</source>
        <translation> · без пары: %1</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::PruneDialog</name>
    <message>
        <source> days</source>
        <translation> дн.</translation>
    </message>
    <message>
        <source> MiB</source>
        <translation> МиБ</translation>
    </message>
    <message>
        <source>Also runs with a star</source>
        <translation>И запуски со звездой</translation>
    </message>
    <message>
        <source>Free room</source>
        <translation>Освобождение места</translation>
    </message>
    <message>
        <source>Spans of timelines take most of the room. Pruning drops those of old runs, all but one step of each; steps, losses, memory, log and notes stay. It cannot be undone.</source>
        <translation>Больше всего места занимают отрезки лент времени. Прореживание убирает их у старых запусков, кроме одного шага каждого; шаги, потери, память, журнал и заметки остаются. Отменить это нельзя.</translation>
    </message>
    <message>
        <source>Keep the newest</source>
        <translation>Сохранить новейших</translation>
    </message>
    <message>
        <source>Only older than</source>
        <translation>Только старше</translation>
    </message>
    <message>
        <source>Only where it frees more than</source>
        <translation>Только если освободится больше</translation>
    </message>
    <message>
        <source>Runs that would be pruned</source>
        <translation>Запуски, которые будут прорежены</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Запуск</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>Начат</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Размер</translation>
    </message>
    <message>
        <source>Would free</source>
        <translation>Освободит</translation>
    </message>
    <message>
        <source>Prune</source>
        <translation>Проредить</translation>
    </message>
    <message>
        <source>Nothing to prune</source>
        <translation>Прореживать нечего</translation>
    </message>
    <message>
        <source>%1 would free %2 of %3</source>
        <translation>%1: освободится %2 из %3</translation>
    </message>
    <message>
        <source>Free %1</source>
        <translation>Освободить %1</translation>
    </message>
    <message>
        <source>are among the newest</source>
        <translation>среди новейших</translation>
    </message>
    <message>
        <source>are not over</source>
        <translation>ещё не закончены</translation>
    </message>
    <message>
        <source>have a star</source>
        <translation>со звездой</translation>
    </message>
    <message>
        <source>are not old enough</source>
        <translation>недостаточно стары</translation>
    </message>
    <message>
        <source>would free too little</source>
        <translation>освободят слишком мало</translation>
    </message>
    <message>
        <source>have no spans to drop</source>
        <translation>без отрезков, которые можно убрать</translation>
    </message>
    <message>
        <source>Left whole: %1.</source>
        <translation>Остаются целыми: %1.</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::RankInspector</name>
    <message>
        <source>Point at a rank to light up its three groups; click to keep it. Here it says what the rank holds.</source>
        <translation>Наведите на ранг, чтобы подсветить три его группы; щёлкните, чтобы закрепить. Здесь сказано, что хранит ранг.</translation>
    </message>
    <message>
        <source>Tensor group</source>
        <translation>Тензорная группа</translation>
    </message>
    <message>
        <source>Data group</source>
        <translation>Группа данных</translation>
    </message>
    <message>
        <source>Sends a step</source>
        <translation>Шлёт за шаг</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Ранг</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>Ранг %1</translation>
    </message>
    <message>
        <source>data %1 · tensor %2 · pipeline %3</source>
        <translation>данные %1 · тензор %2 · конвейер %3</translation>
    </message>
    <message>
        <source>node %1, a process here</source>
        <translation>узел %1, процесс здесь</translation>
    </message>
    <message>
        <source>node %1, device %2: %3</source>
        <translation>узел %1, устройство %2: %3</translation>
    </message>
    <message>
        <source>rows %1 of %2</source>
        <translation>строки %1 из %2</translation>
    </message>
    <message>
        <source>the model does not fit this layout</source>
        <translation>модель не ложится в эту раскладку</translation>
    </message>
    <message>
        <source>, %1 of %2 experts</source>
        <translation>, экспертов %1 из %2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 из %2</translation>
    </message>
    <message>
        <source>, over %1 nodes by %2</source>
        <translation>, узлов: %1, через %2</translation>
    </message>
    <message>
        <source>, in one node by %1</source>
        <translation>, в одном узле через %1</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>ничего</translation>
    </message>
    <message>
        <source>%1 at the peak of a step</source>
        <translation>%1 на пике шага</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>веса</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>градиенты</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>оптимизатор</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>активации</translation>
    </message>
    <message>
        <source>other</source>
        <translation>прочее</translation>
    </message>
    <message>
        <source>Coordinates</source>
        <translation>Координаты</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Место</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>Хранит</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>Головы</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>Словарь</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Параметры</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>Конвейер</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::RankPanel</name>
    <message>
        <source>Rank</source>
        <translation>Ранг</translation>
    </message>
    <message>
        <source>What to look at</source>
        <translation>На что обратить внимание</translation>
    </message>
    <message>
        <source>%1, %2 a step</source>
        <translation>%1, %2 за шаг</translation>
    </message>
    <message>
        <source>This plan can run</source>
        <translation>Этот план можно запустить</translation>
    </message>
    <message>
        <source>This plan is sound</source>
        <translation>Этот план верен</translation>
    </message>
    <message>
        <source>Rank and findings</source>
        <translation>Ранг и замечания</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::RestartDialog</name>
    <message>
        <source>Restart now</source>
        <translation>Перезапустить</translation>
    </message>
    <message>
        <source>Restart with a change</source>
        <translation>Перезапуск с изменением</translation>
    </message>
    <message>
        <source>The run is stopped after its step and kept in the history; a new run begins with these settings.</source>
        <translation>Запуск остановится после шага и останется в истории; с этими настройками начнётся новый.</translation>
    </message>
    <message>
        <source>A new run begins with these settings; this one stays in the history.</source>
        <translation>С этими настройками начнётся новый запуск; этот останется в истории.</translation>
    </message>
    <message>
        <source>&amp;Microbatch, sequences</source>
        <translation>&amp;Микробатч, последовательностей</translation>
    </message>
    <message>
        <source>&amp;Global batch, sequences</source>
        <translation>&amp;Глобальный батч, последовательностей</translation>
    </message>
    <message>
        <source>Open in Plan</source>
        <translation>Открыть в плане</translation>
    </message>
    <message>
        <source>Draw the layout of this run anew; nothing is started</source>
        <translation>Перерисовать раскладку этого запуска; ничего не запускается</translation>
    </message>
    <message>
        <source>&amp;Schedule</source>
        <translation>&amp;Расписание</translation>
    </message>
    <message>
        <source>S&amp;teps</source>
        <translation>&amp;Шаги</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::RunDetails</name>
    <message>
        <source>Details of the selected runs</source>
        <translation>Сведения о выбранных запусках</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Название</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Метки</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Заметка</translation>
    </message>
    <message>
        <source>What this run was for, what it showed</source>
        <translation>Для чего был этот запуск и что показал</translation>
    </message>
    <message>
        <source>%1 – in the trash: restore it to change what is noted</source>
        <translation>%1 – в корзине: чтобы менять записи, восстановите его</translation>
    </message>
    <message>
        <source>Select one run to label it</source>
        <translation>Чтобы дать название, выберите один запуск</translation>
    </message>
    <message>
        <source>No run is selected</source>
        <translation>Запуск не выбран</translation>
    </message>
    <message>
        <source>%1 selected</source>
        <translation>Выбрано: %1</translation>
    </message>
    <message>
        <source>Take the star away (S)</source>
        <translation>Снять звезду (S)</translation>
    </message>
    <message>
        <source>Give a star (S)</source>
        <translation>Отметить звездой (S)</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Запуск</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Вид</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Время</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Причина</translation>
    </message>
    <message>
        <source>On disk</source>
        <translation>На диске</translation>
    </message>
    <message>
        <source>%1, of which %2 are spans that can be dropped</source>
        <translation>%1, из них %2 – отрезки, которые можно убрать</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::RunEdits</name>
    <message>
        <source>%1 (and %2 more like it)</source>
        <translation>%1 (и ещё таких же: %2)</translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation>Удалить: %1</translation>
    </message>
    <message>
        <source>Restore %1</source>
        <translation>Восстановить: %1</translation>
    </message>
    <message>
        <source>Give a star</source>
        <translation>Отметить звездой</translation>
    </message>
    <message>
        <source>Take a star away</source>
        <translation>Снять звезду</translation>
    </message>
    <message>
        <source>Add tag “%1”</source>
        <translation>Добавить метку «%1»</translation>
    </message>
    <message>
        <source>Take tag “%1” away</source>
        <translation>Снять метку «%1»</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Название</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Заметка</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::RunPage</name>
    <message>
        <source>Nothing is running</source>
        <translation>Ничего не запущено</translation>
    </message>
    <message>
        <source>Draw a layout on the Plan page and press Run: its ranks train for real, and loss, timeline, bubble and memory appear here as they are measured.</source>
        <translation>Нарисуйте раскладку на странице «План» и нажмите «Запустить»: ранги обучаются по-настоящему, а потери, лента времени, пузырь и память появляются здесь по мере измерения.</translation>
    </message>
    <message>
        <source>Show folder</source>
        <translation>Показать папку</translation>
    </message>
    <message>
        <source>Restart…</source>
        <translation>Перезапустить…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Остановить</translation>
    </message>
    <message>
        <source>Go to Plan</source>
        <translation>К плану</translation>
    </message>
    <message>
        <source>Open a stored run</source>
        <translation>Открыть сохранённый запуск</translation>
    </message>
    <message>
        <source>Runs that go on beside the one shown here</source>
        <translation>Запуски, которые идут рядом с показанным</translation>
    </message>
    <message>
        <source>Ask the ranks to end after their step; what they have measured is kept</source>
        <translation>Попросить ранги закончить после шага; измеренное сохранится</translation>
    </message>
    <message>
        <source>Run this plan again with another schedule, batch or number of steps, or open it on the Plan page</source>
        <translation>Запустить этот план снова с другим расписанием, батчем или числом шагов либо открыть его на странице «План»</translation>
    </message>
    <message>
        <source>Restart with a change…</source>
        <translation>Перезапустить с изменением…</translation>
    </message>
    <message>
        <source>Stop the run after its step</source>
        <translation>Остановить запуск после шага</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Запуск</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Остановка…</translation>
    </message>
    <message>
        <source>Restarting…</source>
        <translation>Перезапуск…</translation>
    </message>
    <message>
        <source>The run cannot be stopped</source>
        <translation>Запуск нельзя остановить</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::RunPanel</name>
    <message>
        <source>Whole run</source>
        <translation>Весь запуск</translation>
    </message>
    <message>
        <source>Show all steps in the timeline, and their means here (Home in the timeline)</source>
        <translation>Показать на ленте все шаги, а здесь их средние (Home на ленте времени)</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::RunView</name>
    <message>
        <source>Lay the prediction over the timeline, from %1</source>
        <translation>Наложить прогноз на ленту времени, по: %1</translation>
    </message>
    <message>
        <source>There is no prediction: see why, and what to do</source>
        <translation>Прогноза нет: узнать, почему и что делать</translation>
    </message>
    <message>
        <source>The prediction is being worked out</source>
        <translation>Прогноз вычисляется</translation>
    </message>
    <message>
        <source>Lay the prediction over the timeline</source>
        <translation>Наложить прогноз на ленту времени</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Лента времени</translation>
    </message>
    <message>
        <source>Timeline · </source>
        <translation>Лента времени · </translation>
    </message>
    <message>
        <source>one host clock</source>
        <translation>часы одного узла</translation>
    </message>
    <message>
        <source>clocks ± %1</source>
        <translation>часы ± %1</translation>
    </message>
    <message>
        <source>every %1th step kept</source>
        <translation>хранится каждый %1-й шаг</translation>
    </message>
    <message>
        <source>prediction: zoom in</source>
        <translation>прогноз: приблизьте</translation>
    </message>
    <message>
        <source>prediction cut at the step&apos;s end</source>
        <translation>прогноз обрезан концом шага</translation>
    </message>
    <message>
        <source>%1 torn off</source>
        <translation>оборвано: %1</translation>
    </message>
    <message>
        <source>The run failed on rank %1</source>
        <translation>Запуск упал на ранге %1</translation>
    </message>
    <message>
        <source>The run failed</source>
        <translation>Запуск упал</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::SchedulePanel</name>
    <message>
        <source>Schedule</source>
        <translation>Расписание</translation>
    </message>
    <message>
        <source>Picture of the schedule</source>
        <translation>Картина расписания</translation>
    </message>
    <message>
        <source>Microbatches alive, at most</source>
        <translation>Живых микробатчей, не более</translation>
    </message>
    <message>
        <source>Activations of so many microbatches are kept on a rank of the stage at the same time</source>
        <translation>Столько микробатчей ранг стадии хранит одновременно в активациях</translation>
    </message>
    <message>
        <source>drawn with forward, backward for the input and for the weights alike, transfers free</source>
        <translation>прямой проход и обратные по входу и весам равны, передачи бесплатны</translation>
    </message>
    <message>
        <source>drawn once the batch divides</source>
        <translation>будет нарисовано, когда батч разделится</translation>
    </message>
    <message>
        <source>%1 on %2: too many to draw</source>
        <translation>%1, %2: слишком много для рисунка</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::SearchChart</name>
    <message>
        <source>Step time against memory of the layouts found</source>
        <translation>Время шага и память найденных раскладок</translation>
    </message>
    <message>
        <source>memory of the fullest rank, GiB</source>
        <translation>память самого полного ранга, ГиБ</translation>
    </message>
    <message>
        <source>step, </source>
        <translation>шаг, </translation>
    </message>
    <message>
        <source>on the front</source>
        <translation>на фронте</translation>
    </message>
    <message>
        <source>other</source>
        <translation>прочее</translation>
    </message>
    <message>
        <source>rule of thumb</source>
        <translation>простое правило</translation>
    </message>
    <message>
        <source>this plan</source>
        <translation>этот план</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>мс</translation>
    </message>
    <message>
        <source>min</source>
        <translation>мин</translation>
    </message>
    <message>
        <source>s</source>
        <translation>с</translation>
    </message>
    <message>
        <source>the device&apos;s memory</source>
        <translation>предел памяти</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::SearchDialog</name>
    <message>
        <source>Find the best layout</source>
        <translation>Поиск лучшей раскладки</translation>
    </message>
    <message>
        <source>Press Search.</source>
        <translation>Нажмите «Искать».</translation>
    </message>
    <message>
        <source>%1 on %2 of %3</source>
        <translation>%1 · %2 · %3</translation>
    </message>
    <message>
        <source>%1 of %2 tokens a step, %3 · every schedule, microbatch, recompute and ZeRO stage</source>
        <translation>%1 по %2 токенов за шаг, %3 · все расписания, микробатчи, пересчёты и стадии ZeRO</translation>
    </message>
    <message>
        <source>best </source>
        <translation>лучших </translation>
    </message>
    <message>
        <source>Layouts that are kept</source>
        <translation>Сколько раскладок оставить</translation>
    </message>
    <message>
        <source>How many of the fastest layouts are kept, besides the front</source>
        <translation>Сколько самых быстрых раскладок оставить, кроме фронта</translation>
    </message>
    <message>
        <source>Progress of the search</source>
        <translation>Ход поиска</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Искать</translation>
    </message>
    <message>
        <source>Layouts that were found, the fastest first</source>
        <translation>Найденные раскладки, от самой быстрой</translation>
    </message>
    <message>
        <source>Layouts, the fastest first</source>
        <translation>Раскладки, от самой быстрой</translation>
    </message>
    <message>
        <source>a click, or Return, takes one over; Ctrl+Z takes it back</source>
        <translation>щелчок или Return берёт раскладку; Ctrl+Z возвращает</translation>
    </message>
    <message>
        <source>Step time against memory</source>
        <translation>Время шага и память</translation>
    </message>
    <message>
        <source>Why the others were rejected</source>
        <translation>Почему отвергнуты остальные</translation>
    </message>
    <message>
        <source>Take it back</source>
        <translation>Вернуть прежний</translation>
    </message>
    <message>
        <source>Back to the plan before (Ctrl+Z)</source>
        <translation>К прежнему плану (Ctrl+Z)</translation>
    </message>
    <message>
        <source>Take this layout</source>
        <translation>Взять раскладку</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Закрыть</translation>
    </message>
    <message>
        <source>Said when the search is over.</source>
        <translation>Будет сказано, когда поиск закончится.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Остановить</translation>
    </message>
    <message>
        <source>Searching. Layouts appear when all of them are priced; Stop shows the best so far.</source>
        <translation>Идёт поиск. Раскладки появятся, когда все будут оценены; «Остановить» покажет лучшие из найденных.</translation>
    </message>
    <message>
        <source>%1 priced</source>
        <translation>оценено: %1</translation>
    </message>
    <message>
        <source>The rule of thumb (smallest tensor and pipeline sizes that fit) takes %1, %2 more than the best.</source>
        <translation>Простое правило (наименьшие подходящие размеры тензорной оси и конвейера) даёт %1, на %2 больше лучшего.</translation>
    </message>
    <message>
        <source>Search again</source>
        <translation>Искать снова</translation>
    </message>
    <message>
        <source>%1 in %2%3</source>
        <translation>%1 за %2%3</translation>
    </message>
    <message>
        <source>, stopped</source>
        <translation>, остановлено</translation>
    </message>
    <message>
        <source>%1 above %2 are in the table only</source>
        <translation>%1 выше %2 – только в таблице</translation>
    </message>
    <message>
        <source>The search was stopped before.</source>
        <translation>Поиск остановлен раньше.</translation>
    </message>
    <message>
        <source>Nothing was found. </source>
        <translation>Ничего не найдено. </translation>
    </message>
    <message>
        <source>%1 The plan is now %2, %3.</source>
        <translation>%1 Теперь план: %2, %3.</translation>
    </message>
    <message>
        <source>Taken.</source>
        <translation>Взято.</translation>
    </message>
    <message>
        <source>Taken back.</source>
        <translation>Возвращено.</translation>
    </message>
    <message>
        <source>This is the plan</source>
        <translation>Это и есть план</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::SearchModel</name>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 токенов/с</translation>
    </message>
    <message>
        <source>%1
Layers by stage: %2</source>
        <translation>%1
Слои по стадиям: %2</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::SettingsForm</name>
    <message>
        <source>On the cluster</source>
        <translation>На кластере</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Точность</translation>
    </message>
    <message>
        <source>ZeRO</source>
        <translation>ZeRO</translation>
    </message>
    <message>
        <source>What the data replicas share instead of each keeping it</source>
        <translation>Что реплики делят между собой, а не хранит каждая</translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation>Пересчёт</translation>
    </message>
    <message>
        <source>Activations that are made again in backward rather than kept</source>
        <translation>Активации, которые не хранятся, а считаются заново в обратном проходе</translation>
    </message>
    <message>
        <source>Software</source>
        <translation>ПО</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>точность</translation>
    </message>
    <message>
        <source>recompute</source>
        <translation>пересчёт</translation>
    </message>
    <message>
        <source>software</source>
        <translation>ПО</translation>
    </message>
    <message>
        <source>Layers a stage</source>
        <translation>Слоёв на стадию</translation>
    </message>
    <message>
        <source>all</source>
        <translation>все</translation>
    </message>
    <message>
        <source>Layers of a stage that are recomputed</source>
        <translation>Слои стадии, которые пересчитываются</translation>
    </message>
    <message>
        <source>split by tokens</source>
        <translation>делить по токенам</translation>
    </message>
    <message>
        <source>Sequence</source>
        <translation>Последовательность</translation>
    </message>
    <message>
        <source>Sequence parallelism: norms and dropout are split over the tensor ranks too</source>
        <translation>Параллелизм последовательности: нормы и dropout тоже делятся между тензорными рангами</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Контекст</translation>
    </message>
    <message>
        <source>Context-parallel size: ranks that share a sequence</source>
        <translation>Размер оси контекста: ранги, делящие последовательность</translation>
    </message>
    <message>
        <source>Expert</source>
        <translation>Эксперты</translation>
    </message>
    <message>
        <source>Expert-parallel size: ranks over which experts spread</source>
        <translation>Размер оси экспертов: ранги, по которым разложены эксперты</translation>
    </message>
    <message>
        <source>Expert tensor</source>
        <translation>Тензор в экспертах</translation>
    </message>
    <message>
        <source>Tensor-parallel size inside experts</source>
        <translation>Размер тензорной оси внутри экспертов</translation>
    </message>
    <message>
        <source>recomputed layers</source>
        <translation>пересчитываемых слоёв</translation>
    </message>
    <message>
        <source>expert-parallel size</source>
        <translation>размер оси экспертов</translation>
    </message>
    <message>
        <source>tensor size of experts</source>
        <translation>размер тензорной оси экспертов</translation>
    </message>
    <message>
        <source>context-parallel size</source>
        <translation>размер оси контекста</translation>
    </message>
    <message>
        <source>sequence parallelism</source>
        <translation>параллелизм последовательности</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::SettingsPopup</name>
    <message>
        <source>From the next start on</source>
        <translation>Со следующего запуска</translation>
    </message>
    <message>
        <source>as the system</source>
        <translation>как в системе</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Язык</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Настройки</translation>
    </message>
    <message>
        <source>light</source>
        <translation>светлая</translation>
    </message>
    <message>
        <source>dark</source>
        <translation>тёмная</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Внешний вид</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Тема</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Размер текста</translation>
    </message>
    <message>
        <source>Keyboard…</source>
        <translation>Клавиатура…</translation>
    </message>
    <message>
        <source>high contrast</source>
        <translation>контрастная</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::ShortcutDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Сочетания клавиш</translation>
    </message>
    <message>
        <source>Commands and their keys</source>
        <translation>Команды и их клавиши</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Команда</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Клавиши</translation>
    </message>
    <message>
        <source>New key for the selected command</source>
        <translation>Новая клавиша для выбранной команды</translation>
    </message>
    <message>
        <source>Add key</source>
        <translation>Добавить</translation>
    </message>
    <message>
        <source>Remove its keys</source>
        <translation>Убрать клавиши</translation>
    </message>
    <message>
        <source>Its own keys</source>
        <translation>Исходные клавиши</translation>
    </message>
    <message>
        <source>%1 belongs to “%2” and to “%3”. Take it from one of them.</source>
        <translation>%1 есть и у «%2», и у «%3». Уберите у одной из них.</translation>
    </message>
    <message>
        <source>Select a command, press a key in the field, then “Add key”.</source>
        <translation>Выберите команду, нажмите клавишу в поле, затем «Добавить».</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::SpanPanel</name>
    <message>
        <source>Go to what it waited for</source>
        <translation>К тому, чего он ждал</translation>
    </message>
    <message>
        <source>Details of the span</source>
        <translation>Сведения об отрезке</translation>
    </message>
    <message>
        <source>Click a span, or step to one with %1 and %2, to see what it did, how long it took and what it waited for.</source>
        <translation>Щёлкните отрезок или перейдите к нему клавишами %1 и %2, чтобы увидеть, что он делал, сколько длился и чего ждал.</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::SpanSearchBar</name>
    <message>
        <source>Search spans</source>
        <translation>Искать отрезки</translation>
    </message>
    <message>
        <source>backward #5 rank 3   (names, #microbatch, rank, step, pp, tp, dp)</source>
        <translation>backward #5 rank 3   (имена, #микробатч, rank, step, pp, tp, dp)</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>Предыдущее совпадение</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>Следующее совпадение</translation>
    </message>
    <message>
        <source>Close the search</source>
        <translation>Закрыть поиск</translation>
    </message>
    <message>
        <source>%1 matches and more</source>
        <translation>совпадений: %1 и больше</translation>
    </message>
    <message>
        <source>no match</source>
        <translation>совпадений нет</translation>
    </message>
    <message>
        <source>1 match</source>
        <translation>1 совпадение</translation>
    </message>
    <message>
        <source> matches</source>
        <translation> совпад.</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::StageBars</name>
    <message>
        <source>stage %1: %2</source>
        <translation>стадия %1: %2</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>стадия %1</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::SweepDialog</name>
    <message>
        <source>A sweep goes on</source>
        <translation>Идёт перебор</translation>
    </message>
    <message>
        <source>The sweep is not at its end. Stop it?</source>
        <translation>Перебор не закончен. Остановить его?</translation>
    </message>
    <message>
        <source>Layouts that have been measured stay in the history.</source>
        <translation>Измеренные раскладки остаются в истории.</translation>
    </message>
    <message>
        <source>Stop the sweep</source>
        <translation>Остановить перебор</translation>
    </message>
    <message>
        <source>Export report…</source>
        <translation>Сохранить отчёт…</translation>
    </message>
    <message>
        <source>Open comparison</source>
        <translation>Открыть сравнение</translation>
    </message>
    <message>
        <source>Sweep layouts</source>
        <translation>Перебор раскладок</translation>
    </message>
    <message>
        <source>What is run</source>
        <translation>Что запускается</translation>
    </message>
    <message>
        <source>Progress of the sweep</source>
        <translation>Ход перебора</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Закрыть</translation>
    </message>
    <message>
        <source>%1 measured, all kept in the history</source>
        <translation>Измерено: %1, всё сохранено в истории</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Отмена</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>Начать снова</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Начать</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Отчёт</translation>
    </message>
    <message>
        <source>Tables, scaling charts and definitions</source>
        <translation>Таблицы, графики масштабирования и определения</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Вид</translation>
    </message>
    <message>
        <source>Scaling: %1</source>
        <translation>Масштабирование: %1</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Таблица</translation>
    </message>
    <message>
        <source>Figures of all layouts</source>
        <translation>Числа всех раскладок</translation>
    </message>
    <message>
        <source>the sweep</source>
        <translation>перебор</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::SweepRunner</name>
    <message>
        <source>%1 could not be started; build or install triaxis completely</source>
        <translation>%1 не запускается; соберите или установите triaxis полностью</translation>
    </message>
    <message>
        <source>triaxis sweep said what this window does not understand: %1</source>
        <translation>triaxis sweep сообщила то, чего это окно не понимает: %1</translation>
    </message>
    <message>
        <source>Stopping …</source>
        <translation>Остановка …</translation>
    </message>
    <message>
        <source>Starting …</source>
        <translation>Начало …</translation>
    </message>
    <message>
        <source>Finding out how long the real work takes</source>
        <translation>Выясняется, сколько длится настоящая работа</translation>
    </message>
    <message>
        <source>Layout %1 of %2</source>
        <translation>Раскладка %1 из %2</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>шаг %1 из %2</translation>
    </message>
    <message>
        <source>triaxis sweep did not end well</source>
        <translation>triaxis sweep завершилась с ошибкой</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::SweepSettings</name>
    <message>
        <source>The plan that is drawn</source>
        <translation>Нарисованный план</translation>
    </message>
    <message>
        <source>Exercise of the textbooks</source>
        <translation>Упражнение из учебников</translation>
    </message>
    <message>
        <source>Data ranks: 1, 2, 4</source>
        <translation>Рангов данных: 1, 2, 4</translation>
    </message>
    <message>
        <source>Tensor ranks: 1, 2, 4</source>
        <translation>Тензорных рангов: 1, 2, 4</translation>
    </message>
    <message>
        <source>Pipeline stages: 1, 2, 4</source>
        <translation>Стадий конвейера: 1, 2, 4</translation>
    </message>
    <message>
        <source>A list or grid of your own</source>
        <translation>Свой список или сетка</translation>
    </message>
    <message>
        <source>Data x tensor x pipeline ranks, such as 1x1x1,4x1x1. A range doubles: 1..4x1..2x1 is a grid of six.</source>
        <translation>Ранги данные x тензор x конвейер, например 1x1x1,4x1x1. Диапазон удваивает: 1..4x1..2x1 – сетка из шести.</translation>
    </message>
    <message>
        <source>Both, one after the other</source>
        <translation>Обе, одна за другой</translation>
    </message>
    <message>
        <source>On this machine&apos;s cores</source>
        <translation>На ядрах этого компьютера</translation>
    </message>
    <message>
        <source>Paced as GPUs</source>
        <translation>В темпе GPU</translation>
    </message>
    <message>
        <source>The plan that is drawn cannot be run on this machine</source>
        <translation>Нарисованный план нельзя запустить на этом компьютере</translation>
    </message>
    <message>
        <source>Its model, data, batch and schedule: %1. Otherwise the small model of the exercise.</source>
        <translation>Его модель, данные, батч и расписание: %1. Иначе – малая модель упражнения.</translation>
    </message>
    <message>
        <source> a layout</source>
        <translation> на раскладку</translation>
    </message>
    <message>
        <source>Layouts</source>
        <translation>Раскладки</translation>
    </message>
    <message>
        <source>Sizes of the layouts</source>
        <translation>Размеры раскладок</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>Форма</translation>
    </message>
    <message>
        <source>GPUs and links</source>
        <translation>GPU и связи</translation>
    </message>
    <message>
        <source>Model on the GPUs</source>
        <translation>Модель на GPU</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Шаги</translation>
    </message>
    <message>
        <source>%1 of up to %2, data × tensor × pipeline: %3</source>
        <translation>%1, до %2; данные × тензор × конвейер: %3</translation>
    </message>
    <message>
        <source>What it is: as fast as this machine goes. All ranks share its cores, so four ranks cannot be four times as fast.</source>
        <translation>Как есть: в полную силу этого компьютера. Все ранги делят его ядра, поэтому четыре ранга не могут быть вчетверо быстрее.</translation>
    </message>
    <message>
        <source>What it would be: the small model really trains, in slots as long as the chosen model takes on the chosen GPUs and links. Times and memory are the simulator&apos;s.</source>
        <translation>Как было бы: малая модель обучается по-настоящему в слотах такой длины, какая нужна выбранной модели на выбранных GPU и связях. Времена и память – от симулятора.</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::SweepView</name>
    <message>
        <source>Press Start: the layouts run one after the other, and each is a row here when it has ended.</source>
        <translation>Нажмите «Начать»: раскладки запускаются одна за другой, и каждая по окончании становится строкой здесь.</translation>
    </message>
    <message>
        <source>Layouts of the sweep</source>
        <translation>Раскладки перебора</translation>
    </message>
    <message>
        <source>Speed-up by layout</source>
        <translation>Ускорение по раскладкам</translation>
    </message>
    <message>
        <source>%1: %2, efficiency %3</source>
        <translation>%1: %2, эффективность %3</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::TagEditor</name>
    <message>
        <source>Add a tag</source>
        <translation>Добавить метку</translation>
    </message>
    <message>
        <source>#%1 (some)</source>
        <translation>#%1 (не у всех)</translation>
    </message>
    <message>
        <source>Take the tag %1 away from those that have it</source>
        <translation>Снять метку %1 с тех, у кого она есть</translation>
    </message>
    <message>
        <source>Take the tag %1 away</source>
        <translation>Снять метку %1</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::TimelinePanel</name>
    <message>
        <source>Timeline</source>
        <translation>Лента времени</translation>
    </message>
    <message>
        <source>The marks of this run</source>
        <translation>Отметки этого запуска</translation>
    </message>
    <message>
        <source>The lanes of this run</source>
        <translation>Дорожки этого запуска</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Участок</translation>
    </message>
    <message>
        <source>Spans</source>
        <translation>Отрезки</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>Дорожки</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Группы</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>Цвет</translation>
    </message>
    <message>
        <source>Show only</source>
        <translation>Показать только</translation>
    </message>
    <message>
        <source>Marks</source>
        <translation>Отметки</translation>
    </message>
    <message>
        <source>Keyboard shortcuts…</source>
        <translation>Сочетания клавиш…</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Вид</translation>
    </message>
    <message>
        <source>All actions of the timeline</source>
        <translation>Все действия ленты времени</translation>
    </message>
    <message>
        <source>All actions of the timeline, with their keys</source>
        <translation>Все действия ленты времени и их клавиши</translation>
    </message>
    <message>
        <source>Scaled to the step ✓</source>
        <translation>Растянут на шаг ✓</translation>
    </message>
    <message>
        <source>Scale to the step</source>
        <translation>Растянуть на шаг</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::Tour</name>
    <message>
        <source>Back</source>
        <translation>Назад</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Пропустить</translation>
    </message>
    <message>
        <source>Tour</source>
        <translation>Знакомство</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 из %2</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Готово</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Далее</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::TrafficGrid</name>
    <message>
        <source>What ranks send to each other</source>
        <translation>Что ранги отправляют друг другу</translation>
    </message>
    <message>
        <source>Cells of memory and traffic: choose another</source>
        <translation>Клетки памяти и обмена: выбрать другую</translation>
    </message>
    <message>
        <source>Cells: choose none</source>
        <translation>Клетки: снять выбор</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>ничего</translation>
    </message>
    <message>
        <source>%1 a step</source>
        <translation>%1 за шаг</translation>
    </message>
    <message>
        <source>, %1, %2/s</source>
        <translation>, %1, %2/с</translation>
    </message>
    <message>
        <source>, time not measured</source>
        <translation>, время не измерено</translation>
    </message>
    <message>
        <source> · cells in </source>
        <translation> · клетки в </translation>
    </message>
    <message>
        <source> · choose a cell for its number</source>
        <translation> · выберите клетку, чтобы увидеть число</translation>
    </message>
    <message>
        <source>most between one pair: %1</source>
        <translation>больше всего между парой: %1</translation>
    </message>
    <message>
        <source>nothing is sent</source>
        <translation>ничего не посылается</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::TrainingForm</name>
    <message>
        <source>Training</source>
        <translation>Обучение</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Шаги</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Скорость обучения</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Зерно</translation>
    </message>
    <message>
        <source>name in the history</source>
        <translation>имя в истории</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Название</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>шаги</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>скорость обучения</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>зерно</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::ViewRange</name>
    <message>
        <source>steps %1–%2</source>
        <translation>шаги %1–%2</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>шаг %1</translation>
    </message>
</context>
<context>
    <name>triaxis::ui::WhatIfDialog</name>
    <message>
        <source>What if</source>
        <translation>Что, если</translation>
    </message>
    <message>
        <source>If these were different</source>
        <translation>Если бы это было другим</translation>
    </message>
    <message>
        <source>the plan stays as it is</source>
        <translation>план остаётся прежним</translation>
    </message>
    <message>
        <source>As planned</source>
        <translation>Как в плане</translation>
    </message>
    <message>
        <source>%1, batch %2</source>
        <translation>%1, батч %2</translation>
    </message>
    <message>
        <source>This cluster has one level of links only</source>
        <translation>У этого кластера только один уровень связей</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>against the plan</source>
        <translation>против плана</translation>
    </message>
</context>
</TS>
