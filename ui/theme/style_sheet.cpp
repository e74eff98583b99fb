#include "ui/theme/style_sheet.h"

#include "ui/theme/fonts.h"

#include <QFontDatabase>
#include <QHash>
#include <QRegularExpression>

namespace triaxis::ui
{
namespace
{

const char* const controls = R"(
* { outline: none; }
QToolTip { background: @tipBack; color: @tipText; border: 1px solid @tipBack; padding: 5px 7px; }
QLabel { background: transparent; color: @text; }
QLabel[role="page"] { font-size: @14px; font-weight: 600; }
QLabel[role="title"] { font-weight: 600; }
QLabel[role="muted"] { color: @muted; }
QLabel[role="small"] { color: @muted; font-size: @11px; }
QLabel[role="problem"] { color: @danger; font-size: @11px; }
QLabel[role="caution"] { color: @warning; font-size: @11px; }
QLabel[role="hint"] { color: @muted; font-size: @11px; }

QPushButton { background: @field; color: @text; border: 1px solid @line; border-radius: 6px;
  padding: 0 12px; min-height: @26px; }
QPushButton:hover { background: @hover; }
QPushButton:pressed { background: @track; }
QPushButton:focus { border-color: @accent; }
QPushButton:disabled { color: @faint; background: @window; }
QPushButton:checked { background: @accentSoft; color: @accent; border-color: @accentSoft; }
QPushButton[look="primary"] { background: @accent; color: @onAccent; border-color: @accent; font-weight: 600; }
QPushButton[look="primary"]:hover { background: @accentStrong; border-color: @accentStrong; }
QPushButton[look="primary"]:focus { border-color: @text; }
QPushButton[look="primary"]:disabled { background: @track; color: @faint; border-color: @line; }
QPushButton[look="danger"] { background: @danger; color: @onDanger; border-color: @danger; font-weight: 600; }
QPushButton[look="danger"]:hover { background: @dangerStrong; border-color: @dangerStrong; }
QPushButton[look="danger"]:focus { border-color: @text; }
QPushButton[look="danger"]:disabled { background: @track; color: @faint; border-color: @line; }
QPushButton[look="tab"] { background: transparent; color: @muted; border-color: transparent; padding: 0 10px; min-height: @24px; }
QPushButton[look="tab"]:hover { background: @hover; color: @text; }
QPushButton[look="tab"]:checked { background: @accentSoft; color: @accent; font-weight: 600; }
QPushButton[look="tab"]:focus { border-color: @accent; }
QPushButton[look="chip"] { background: @accentSoft; color: @accent; border-color: @accentSoft; border-radius: @11px; padding: 0 9px; min-height: @20px; font-size: @11px; }
QPushButton[look="chip"]:hover { border-color: @accent; }
QPushButton[look="chip"]:focus { border-color: @accent; }
QPushButton[look="chip"]:disabled { background: @track; color: @muted; border-color: @track; }
QPushButton[look="plain"] { background: transparent; color: @accent; border-color: transparent; padding: 0 6px; min-height: @20px; font-size: @11px; }
QPushButton[look="plain"]:hover { background: @hover; }
QPushButton[look="plain"]:focus { border-color: @accent; }
QPushButton[look="filter"] { padding: 0 @24px 0 10px; color: @muted; }
QPushButton[look="filter"]:hover { color: @text; }
QPushButton[look="filter"][set="true"] { color: @accent; border-color: @accent; }
QPushButton[look="filter"]::menu-indicator { image: url(:/icons/chevron-down-@tone.svg); width: 10px; height: 10px;
  subcontrol-origin: padding; subcontrol-position: center right; right: 7px; }
QPushButton[look="mend"] { color: @accent; border-color: @accent; font-weight: 600; min-height: @22px; padding: 0 10px; }

QToolButton { background: transparent; color: @muted; border: 1px solid transparent; border-radius: 5px;
  padding: 2px; min-width: @20px; min-height: @20px; }
QToolButton:hover { background: @hover; color: @text; }
QToolButton:checked { background: @accentSoft; color: @accent; }
QToolButton:focus { border-color: @accent; }
QToolButton:disabled { color: @faint; }
QToolButton[look="heading"] { color: @text; font-weight: 600; padding: 0 4px 0 0; }
QToolButton[look="heading"]:checked { background: transparent; color: @text; }
QToolButton[look="heading"]:hover { color: @accent; background: transparent; }
QToolButton[popupMode="2"] { padding: 2px @20px 2px 6px; }
QToolButton[popupMode="2"]::menu-indicator { image: url(:/icons/chevron-down-@tone.svg); width: 10px; height: 10px;
  subcontrol-origin: padding; subcontrol-position: center right; right: 6px; }

QSpinBox, QDoubleSpinBox, QDateEdit, QComboBox { color: @text; }
QLineEdit, QSpinBox, QDoubleSpinBox, QDateEdit, QComboBox { background: @field; border: 1px solid @line;
  border-radius: 6px; padding: 0 8px; min-height: @26px; selection-background-color: @accent;
  selection-color: @onAccent; }
QLineEdit > QToolButton { min-width: 0; min-height: 0; padding: 0; border: none; background: transparent; }
QLineEdit:hover, QSpinBox:hover, QDateEdit:hover, QComboBox:hover { border-color: @faint; }
QLineEdit:focus, QSpinBox:focus, QDateEdit:focus, QComboBox:focus { border-color: @accent; }
QLineEdit:disabled, QSpinBox:disabled, QDateEdit:disabled, QComboBox:disabled { color: @faint; background: @window; }
QLineEdit[problem="true"], QSpinBox[problem="true"], QComboBox[problem="true"] { border-color: @danger; }
QComboBox::drop-down, QDateEdit::drop-down { width: 22px; border: none; }
QComboBox::down-arrow, QDateEdit::down-arrow { image: url(:/icons/chevron-down-@tone.svg); width: 10px; height: 10px; }
QComboBox[flat="true"] { background: transparent; border: 1px solid transparent; color: @muted; min-height: @20px; padding: 0 4px; }
QComboBox[flat="true"]:hover { background: @hover; }
QComboBox[flat="true"]:focus { border-color: @accent; }
QComboBox QAbstractItemView { background: @panel; color: @text; border: 1px solid @line; padding: 4px;
  selection-background-color: @accentSoft; selection-color: @accent; outline: none; }
QComboBox QAbstractItemView::item { min-height: @24px; padding: 0 6px; border-radius: 4px; }
QSpinBox::up-button { subcontrol-position: top right; width: 18px; border: none; margin: 1px; border-top-right-radius: 5px; }
QSpinBox::down-button { subcontrol-position: bottom right; width: 18px; border: none; margin: 1px; border-bottom-right-radius: 5px; }
QSpinBox::up-button:hover, QSpinBox::down-button:hover { background: @hover; }
QSpinBox::up-arrow { image: url(:/icons/chevron-up-@tone.svg); width: 8px; height: 8px; }
QSpinBox::down-arrow { image: url(:/icons/chevron-down-@tone.svg); width: 8px; height: 8px; }

QCheckBox { color: @muted; spacing: 6px; background: transparent; }
QCheckBox::indicator, QAbstractItemView::indicator { width: 14px; height: 14px; border: 1px solid @faint; border-radius: 4px; background: @field; }
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked { background: @accent; border-color: @accent; image: url(:/icons/check-@checkTone.svg); }
QCheckBox::indicator:focus { border-color: @accent; }
QCheckBox:hover { color: @text; }

QTableView { background: transparent; color: @text; border: none; gridline-color: transparent;
  selection-background-color: @accentSoft; selection-color: @text; outline: none; }
QTableView::item { border: none; border-bottom: 1px solid @track; padding: 0 8px; }
QTableView::item:hover { background: @raised; }
QTableView::item:selected { background: @accentSoft; color: @text; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QHeaderView { background: transparent; border: none; }
QHeaderView::section { background: @panel; color: @muted; border: none; border-bottom: 1px solid @line;
  padding: 0 5px 0 11px; height: @30px; font-size: @11px; }
QHeaderView::section:hover { color: @text; }
QHeaderView::up-arrow { image: url(:/icons/chevron-up-@tone.svg); width: 9px; height: 9px; subcontrol-position: center right; right: 4px; }
QHeaderView::down-arrow { image: url(:/icons/chevron-down-@tone.svg); width: 9px; height: 9px; subcontrol-position: center right; right: 4px; }
QTableCornerButton::section { background: transparent; border: none; }

QPlainTextEdit[look="field"] { background: @field; border: 1px solid @line; border-radius: 6px; padding: 2px 4px; font-family: "@sans"; font-size: @12px; }
QPlainTextEdit[look="field"]:focus { border-color: @accent; }
QPlainTextEdit[look="field"]:disabled { color: @faint; background: @window; }
QPlainTextEdit[look="log"] { background: transparent; color: @muted; border: none; font-family: "@mono"; font-size: @12px; selection-background-color: @accent;
  selection-color: @onAccent; }
QListWidget { background: transparent; color: @text; border: none; selection-background-color: @accentSoft;
  selection-color: @text; }
QListWidget::item { padding: 4px 8px; border-radius: 4px; }
QListWidget::item:selected { background: @accentSoft; color: @text; }
QTreeView { background: @field; color: @text; border: 1px solid @line; border-radius: 6px; padding: 4px;
  show-decoration-selected: 1; selection-background-color: @accentSoft; selection-color: @text; }
QTreeView:focus { border-color: @accent; }
QTreeView::item { border-top: 1px solid transparent; border-bottom: 1px solid transparent; padding: 1px 4px; }
QTreeView::item:hover { background: @hover; }
QTreeView::item:selected, QTreeView::branch:selected { background: @accentSoft; color: @text; }
QScrollArea { background: transparent; border: none; }
QAbstractScrollArea::corner { background: transparent; }
QSplitter::handle { background: transparent; }

QTabBar { background: transparent; }
QTabBar::tab { background: transparent; color: @muted; border: 1px solid transparent; border-radius: 5px;
  padding: 0 6px; min-height: @24px; margin-right: 2px; }
QTabBar::tab:hover { color: @text; background: @hover; }
QTabBar::tab:selected { color: @accent; background: @accentSoft; font-weight: 600; }
QTabBar:focus::tab:selected { border-color: @accent; }

QSlider { background: transparent; min-height: @20px; }
QSlider::groove:horizontal { background: @track; height: 4px; border-radius: 2px; }
QSlider::sub-page:horizontal { background: @accent; border-radius: 2px; }
QSlider[look="balance"]::sub-page:horizontal { background: @track; }
QSlider::handle:horizontal { background: @accent; width: 12px; margin: -4px 0; border-radius: 6px; }
QSlider::handle:horizontal:focus { border: 2px solid @text; }

QProgressBar { background: @track; border: none; border-radius: 3px; min-height: 6px; max-height: 6px; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }

QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @scroll; border-radius: 3px; margin: 2px; min-height: 24px; min-width: 24px; }
QScrollBar::handle:hover { background: @faint; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QMenuBar { background: @panel; color: @text; border-bottom: 1px solid @line; padding: 1px 6px; spacing: 2px; }
QMenuBar::item { background: transparent; padding: 4px 9px; border-radius: 4px; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: @accentSoft; color: @accent; }
QMenu { background: @panel; color: @text; border: 1px solid @line; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 10px; border-radius: 4px; }
QMenu::item:selected { background: @accentSoft; color: @accent; }
QMenu::item:disabled { color: @faint; background: transparent; }
QMenu::separator { height: 1px; background: @line; margin: 4px 6px; }
QDialog { background: @window; }
)";

/// The focus is seen by more than its colour.
const char* const strongFocus = R"(
QPushButton:focus, QToolButton:focus, QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QDateEdit:focus, QComboBox:focus,
QPlainTextEdit[look="field"]:focus, QCheckBox::indicator:focus, QTabBar:focus::tab:selected { border-width: 2px; }
QTableView::item:selected { border-top: 1px solid @accent; border-bottom: 1px solid @accent; }
QListWidget::item:selected { border: 1px solid @accent; }
QTreeView::item:selected, QTreeView::branch:selected { border-top: 1px solid @accent; border-bottom: 1px solid @accent; }
QMenu::item:selected, QMenuBar::item:selected { border: 1px solid @accent; }
QPushButton:checked, QToolButton:checked, QTabBar::tab:selected { border: 1px solid @accent; }
QProgressBar, QSlider::groove:horizontal { border: 1px solid @line; }
)";

QHash<QString, QString> valuesOf(const Theme& theme)
{
    const auto hex = [](const QColor& colour) { return colour.name(); };
    return {
        {QStringLiteral("window"), hex(theme.window)},
        {QStringLiteral("panel"), hex(theme.panel)},
        {QStringLiteral("raised"), hex(theme.raised)},
        {QStringLiteral("field"), hex(theme.field)},
        {QStringLiteral("hover"), hex(theme.hover)},
        {QStringLiteral("line"), hex(theme.line)},
        {QStringLiteral("track"), hex(theme.track)},
        {QStringLiteral("text"), hex(theme.text)},
        {QStringLiteral("muted"), hex(theme.muted)},
        {QStringLiteral("faint"), hex(theme.faint)},
        {QStringLiteral("scroll"), hex(mixed(theme.panel, theme.faint, 0.5))},
        {QStringLiteral("accent"), hex(theme.accent)},
        {QStringLiteral("accentStrong"), hex(mixed(theme.accent, theme.text, 0.18))},
        {QStringLiteral("accentSoft"), hex(theme.accentSoft)},
        {QStringLiteral("onAccent"), hex(theme.onAccent)},
        {QStringLiteral("warning"), hex(theme.warning)},
        {QStringLiteral("danger"), hex(theme.danger)},
        {QStringLiteral("dangerStrong"), hex(mixed(theme.danger, theme.text, 0.18))},
        {QStringLiteral("onDanger"), hex(theme.onDanger)},
        {QStringLiteral("tipBack"), hex(theme.dark ? theme.hover : theme.text)},
        {QStringLiteral("tipText"), hex(theme.dark ? theme.text : theme.panel)},
        {QStringLiteral("mono"), QFontDatabase::systemFont(QFontDatabase::FixedFont).family()},
        {QStringLiteral("sans"), fontOf(FontRole::Body).family()},
        {QStringLiteral("tone"), theme.dark ? QStringLiteral("bright") : QStringLiteral("deep")},
        {QStringLiteral("checkTone"),
         theme.dark ? QStringLiteral("deep") : QStringLiteral("bright")},
    };
}

} // namespace

QString styleSheetOf(const Theme& theme)
{
    const QHash<QString, QString> values = valuesOf(theme);
    QString source = QString::fromUtf8(controls);
    if (theme.highContrast)
        source += QString::fromUtf8(strongFocus);
    static const QRegularExpression token(QStringLiteral("@([A-Za-z]+|[0-9]+)"));
    QString sheet;
    qsizetype at = 0;
    for (auto found = token.globalMatch(source); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        sheet += QStringView(source).mid(at, match.capturedStart() - at);
        bool isNumber = false;
        const int pixels = match.captured(1).toInt(&isNumber);
        sheet += isNumber ? QString::number(scaled(pixels)) : values.value(match.captured(1));
        at = match.capturedEnd();
    }
    sheet += QStringView(source).mid(at);
    return sheet;
}

} // namespace triaxis::ui
